// test: canonical
func.func @masked_loads(%m: memref<16xf32>, %i: index, %p: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %t = vector.constant_mask [4] : vector<4xi1>
  %f = vector.constant_mask [0] : vector<4xi1>
  %0 = vector.maskedload %m[%i], %t, %p : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %1 = vector.maskedload %m[%i], %f, %p : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %d = arith.constant dense<true> : vector<4xi1>
  %2 = vector.maskedload %m[%i], %d, %p : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %0, %1, %2 : vector<4xf32>, vector<4xf32>, vector<4xf32>
}

func.func @masked_stores(%m: memref<16xf32>, %i: index, %p: vector<4xf32>) {
  %t = vector.constant_mask [4] : vector<4xi1>
  %f = vector.constant_mask [0] : vector<4xi1>
  vector.maskedstore %m[%i], %t, %p : memref<16xf32>, vector<4xi1>, vector<4xf32>
  vector.maskedstore %m[%i], %f, %p : memref<16xf32>, vector<4xi1>, vector<4xf32>
  return
}

func.func @packed(%m: memref<16xf32>, %i: index, %p: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>) {
  %t = vector.constant_mask [4] : vector<4xi1>
  %f = vector.constant_mask [0] : vector<4xi1>
  %0 = vector.expandload %m[%i], %t, %p : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %1 = vector.expandload %m[%i], %f, %p : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.compressstore %m[%i], %t, %p : memref<16xf32>, vector<4xi1>, vector<4xf32>
  vector.compressstore %m[%i], %f, %p : memref<16xf32>, vector<4xi1>, vector<4xf32>
  return %0, %1 : vector<4xf32>, vector<4xf32>
}

func.func @gathered(%m: memref<16xf32>, %i: index, %ix: vector<4xi32>, %p: vector<4xf32>, %mask: vector<4xi1>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %f = vector.constant_mask [0] : vector<4xi1>
  %t = vector.constant_mask [4] : vector<4xi1>
  %0 = vector.gather %m[%i] [%ix], %f, %p : memref<16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.scatter %m[%i] [%ix], %f, %p : memref<16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  %seq = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
  %1 = vector.gather %m[%i] [%seq], %mask, %p : memref<16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.scatter %m[%i] [%seq], %mask, %p : memref<16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  %2 = vector.gather %m[%i] [%seq], %t, %p : memref<16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %0, %1, %2 : vector<4xf32>, vector<4xf32>, vector<4xf32>
}

func.func @hints(%m: memref<16xf32>, %i: index, %p: vector<4xf32>, %k: vector<4xi1>) -> (vector<4xf32>, vector<4xf32>) {
  %t = arith.constant dense<true> : vector<4xi1>
  %0 = vector.maskedload %m[%i], %t, %p {alignment = 8 : i64} : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.maskedstore %m[%i], %t, %p {alignment = 8 : i64} : memref<16xf32>, vector<4xi1>, vector<4xf32>
  %seq = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
  %1 = vector.gather %m[%i] [%seq], %k, %p {alignment = 8 : i64} : memref<16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %0, %1 : vector<4xf32>, vector<4xf32>
}

// differs: @strided: elements apart are no neighbours
func.func @strided(%m: memref<16xf32, strided<[2]>>, %i: index, %p: vector<4xf32>, %k: vector<4xi1>) -> (vector<4xf32>) {
  %seq = vector.step : vector<4xindex>
  %1 = vector.gather %m[%i] [%seq], %k, %p : memref<16xf32, strided<[2]>>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %1 : vector<4xf32>
}

func.func @through_casts(%m: memref<4x8xf32>, %i: index) -> vector<4xf32> {
  %c = memref.cast %m : memref<4x8xf32> to memref<?x?xf32>
  %0 = vector.load %c[%i, %i] : memref<?x?xf32>, vector<4xf32>
  vector.store %0, %c[%i, %i] : memref<?x?xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}

func.func @dead(%m: memref<8xf32>, %i: index) {
  %0 = vector.load %m[%i] : memref<8xf32>, vector<4xf32>
  %z = arith.constant 0.0 : f32
  %1 = vector.transfer_read %m[%i], %z : memref<8xf32>, vector<4xf32>
  %2 = vector.broadcast %z : f32 to vector<4xf32>
  %3 = vector.reduction <add>, %1 : vector<4xf32> into f32
  return
}
