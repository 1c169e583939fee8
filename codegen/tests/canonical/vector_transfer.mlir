// test: canonical
func.func @fits(%m: memref<8x16xf32>, %i: index) -> (vector<4xf32>, vector<8x4xf32>, vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  %0 = vector.transfer_read %m[%i, %c4], %z : memref<8x16xf32>, vector<4xf32>
  %1 = vector.transfer_read %m[%c0, %c4], %z : memref<8x16xf32>, vector<8x4xf32>
  %2 = vector.transfer_read %m[%i, %i], %z : memref<8x16xf32>, vector<4xf32>
  vector.transfer_write %0, %m[%i, %c4] : vector<4xf32>, memref<8x16xf32>
  vector.transfer_write %1, %m[%c0, %i] : vector<8x4xf32>, memref<8x16xf32>
  return %0, %1, %2 : vector<4xf32>, vector<8x4xf32>, vector<4xf32>
}

func.func @fits_in_part(%m: memref<?x16xf32>, %i: index) -> (vector<4x4xf32>, vector<4xf32>, vector<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %0 = vector.transfer_read %m[%c0, %c0], %z {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<?x16xf32>, vector<4x4xf32>
  %1 = vector.transfer_read %m[%i, %c0], %z {permutation_map = affine_map<(d0, d1) -> (0)>} : memref<?x16xf32>, vector<4xf32>
  %t = vector.constant_mask [4, 8] : vector<4x8xi1>
  %2 = vector.transfer_read %m[%c0, %c0], %z, %t : memref<?x16xf32>, vector<4x8xf32>
  return %0, %1, %2 : vector<4x4xf32>, vector<4xf32>, vector<4x8xf32>
}

func.func @through_casts(%m: memref<4x8xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %c = memref.cast %m : memref<4x8xf32> to memref<?x?xf32>
  %0 = vector.transfer_read %c[%c0, %c0], %z : memref<?x?xf32>, vector<4xf32>
  vector.transfer_write %0, %c[%c0, %c0] : vector<4xf32>, memref<?x?xf32>
  return %0 : vector<4xf32>
}

func.func @read_back(%t: tensor<4x4xf32>, %v: vector<4x4xf32>, %w: vector<4xf32>) -> (tensor<4x4xf32>, vector<4x4xf32>, tensor<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %0 = vector.transfer_write %v, %t[%c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, tensor<4x4xf32>
  %1 = vector.transfer_read %0[%c0, %c0], %z {in_bounds = [true, true]} : tensor<4x4xf32>, vector<4x4xf32>
  %r = vector.transfer_read %t[%c0, %c0], %z {in_bounds = [true, true]} : tensor<4x4xf32>, vector<4x4xf32>
  %2 = vector.transfer_write %r, %t[%c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, tensor<4x4xf32>
  return %0, %1, %2 : tensor<4x4xf32>, vector<4x4xf32>, tensor<4x4xf32>
}

func.func @written_over(%t: tensor<4x4xf32>, %v: vector<4xf32>, %w: vector<4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = vector.transfer_write %v, %t[%c0, %c0] {in_bounds = [true]} : vector<4xf32>, tensor<4x4xf32>
  %1 = vector.transfer_write %w, %0[%c1, %c0] {in_bounds = [true]} : vector<4xf32>, tensor<4x4xf32>
  %2 = vector.transfer_write %w, %1[%c0, %c0] {in_bounds = [true]} : vector<4xf32>, tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}
