// test: canonical
func.func @typed(%m: memref<4x4xf32>) -> (memref<vector<4x4xf32>>, f32) {
  %c0 = arith.constant 0 : index
  %0 = vector.type_cast %m : memref<4x4xf32> to memref<vector<4x4xf32>>
  %1 = memref.load %m[%c0, %c0] : memref<4x4xf32>
  return %0, %1 : memref<vector<4x4xf32>>, f32
}

func.func @rank_zero(%m: memref<f32>) -> vector<f32> {
  %z = arith.constant 0.0 : f32
  %0 = vector.transfer_read %m[], %z : memref<f32>, vector<f32>
  vector.transfer_write %0, %m[] : vector<f32>, memref<f32>
  return %0 : vector<f32>
}

func.func @masked(%m: memref<16xf32>, %k: vector<4xi1>) -> vector<4xf32> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_read %m[%c0], %z, %k : memref<16xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}

func.func @nothing(%m: memref<16xf32>, %v: vector<4xf32>) -> vector<4xf32> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %f = arith.constant dense<false> : vector<4xi1>
  %0 = vector.transfer_read %m[%c0], %z, %f : memref<16xf32>, vector<4xf32>
  vector.transfer_write %v, %m[%c0], %f : vector<4xf32>, memref<16xf32>
  return %0 : vector<4xf32>
}

func.func @one(%m: memref<4xf32>, %i: index) -> vector<1xf32> {
  %0 = vector.load %m[%i] : memref<4xf32>, vector<1xf32>
  return %0 : vector<1xf32>
}

func.func @dead_tensor_write(%t: tensor<8xf32>, %v: vector<4xf32>, %i: index) {
  %0 = vector.transfer_write %v, %t[%i] : vector<4xf32>, tensor<8xf32>
  return
}
