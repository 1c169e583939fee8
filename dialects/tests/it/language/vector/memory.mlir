// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
// except: part 2: mlir-opt drops an attribute that has its default value
func.func @plain(%m: memref<8x16xf32>, %v: memref<4xvector<8xf32>>, %i: index) {
  %0 = vector.load %m[%i, %i] : memref<8x16xf32>, vector<8xf32>
  %1 = vector.load %m[%i, %i] {nontemporal = true} : memref<8x16xf32>, vector<2x[4]xf32>
  %2 = vector.load %m[%i, %i] {alignment = 16 : i64} : memref<8x16xf32>, vector<f32>
  %3 = vector.load %v[%i] {mark} : memref<4xvector<8xf32>>, vector<8xf32>
  vector.store %0, %m[%i, %i] : memref<8x16xf32>, vector<8xf32>
  vector.store %1, %m[%i, %i] {nontemporal = true, alignment = 4 : i64} : memref<8x16xf32>, vector<2x[4]xf32>
  vector.store %2, %m[%i, %i] {mark} : memref<8x16xf32>, vector<f32>
  vector.store %3, %v[%i] : memref<4xvector<8xf32>>, vector<8xf32>
  return
}

// -----

// Strides that do not matter, and the hint in its default.
func.func @strided(%m: memref<?x8xf32, strided<[?, 1], offset: ?>>, %s: memref<8xf32, strided<[2]>>, %i: index) {
  %0 = vector.load %m[%i, %i] {nontemporal = false} : memref<?x8xf32, strided<[?, 1], offset: ?>>, vector<8xf32>
  %1 = vector.load %s[%i] : memref<8xf32, strided<[2]>>, vector<1xf32>
  vector.store %1, %s[%i] : memref<8xf32, strided<[2]>>, vector<1xf32>
  return
}

// -----

func.func @masked(%m: memref<?xf32>, %i: index, %mask: vector<16xi1>, %v: vector<16xf32>) {
  %0 = vector.maskedload %m[%i], %mask, %v : memref<?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  %1 = vector.maskedload %m[%i], %mask, %v {alignment = 8 : i64} : memref<?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  vector.maskedstore %m[%i], %mask, %0 : memref<?xf32>, vector<16xi1>, vector<16xf32>
  vector.maskedstore %m[%i], %mask, %1 {alignment = 8 : i64} : memref<?xf32>, vector<16xi1>, vector<16xf32>
  %2 = vector.expandload %m[%i], %mask, %v : memref<?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  %3 = vector.expandload %m[%i], %mask, %v {alignment = 8 : i64} : memref<?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  vector.compressstore %m[%i], %mask, %2 : memref<?xf32>, vector<16xi1>, vector<16xf32>
  vector.compressstore %m[%i], %mask, %3 {alignment = 8 : i64} : memref<?xf32>, vector<16xi1>, vector<16xf32>
  return
}

// -----

func.func @indexed(%m: memref<?x?xf32>, %t: tensor<16x?xf32>, %i: index,
                   %x: vector<2x16xi32>, %mask: vector<2x16xi1>, %v: vector<2x16xf32>) {
  %0 = vector.gather %m[%i, %i] [%x], %mask, %v : memref<?x?xf32>, vector<2x16xi32>, vector<2x16xi1>, vector<2x16xf32> into vector<2x16xf32>
  %1 = vector.gather %t[%i, %i] [%x], %mask, %v {alignment = 4 : i64} : tensor<16x?xf32>, vector<2x16xi32>, vector<2x16xi1>, vector<2x16xf32> into vector<2x16xf32>
  vector.scatter %m[%i, %i] [%x], %mask, %0 : memref<?x?xf32>, vector<2x16xi32>, vector<2x16xi1>, vector<2x16xf32>
  vector.scatter %m[%i, %i] [%x], %mask, %0 {alignment = 4 : i64} : memref<?x?xf32>, vector<2x16xi32>, vector<2x16xi1>, vector<2x16xf32>
  %2 = vector.scatter %t[%i, %i] [%x], %mask, %1 : tensor<16x?xf32>, vector<2x16xi32>, vector<2x16xi1>, vector<2x16xf32> -> tensor<16x?xf32>
  return
}

// -----

func.func @type_cast(%m: memref<8x8x2xf32>, %n: memref<4xvector<3xf32>, 3>) {
  %0 = vector.type_cast %m : memref<8x8x2xf32> to memref<vector<8x8x2xf32>>
  %1 = vector.type_cast %n {mark} : memref<4xvector<3xf32>, 3> to memref<vector<4x3xf32>, 3>
  return
}
