// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @read(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %i: index, %p: f32, %mask: vector<4x8xi1>) {
  %0 = vector.transfer_read %m[%i, %i], %p : memref<?x?xf32>, vector<8xf32>
  %1 = vector.transfer_read %m[%i, %i], %p {in_bounds = [true, false]} : memref<?x?xf32>, vector<4x8xf32>
  %2 = vector.transfer_read %t[%i, %i], %p {in_bounds = [true]} : tensor<?x?xf32>, vector<[8]xf32>
  %3 = vector.transfer_read %t[%i, %i], %p, %mask {in_bounds = [true, true], mark} : tensor<?x?xf32>, vector<4x8xf32>
  %4 = vector.transfer_read %m[%i, %i], %p : memref<?x?xf32>, vector<f32>
  return
}

// -----

// Maps that permute, broadcast and leave out; the mask follows from them.
func.func @permuted(%m: memref<?x?x?xf32>, %i: index, %p: f32, %a: vector<4x8xi1>, %b: vector<[8]xi1>) {
  %0 = vector.transfer_read %m[%i, %i, %i], %p, %a {permutation_map = affine_map<(d0, d1, d2) -> (d2, d1)>} : memref<?x?x?xf32>, vector<8x4xf32>
  %1 = vector.transfer_read %m[%i, %i, %i], %p {permutation_map = affine_map<(d0, d1, d2) -> (d0, 0)>} : memref<?x?x?xf32>, vector<3x4xf32>
  %2 = vector.transfer_read %m[%i, %i, %i], %p, %b {in_bounds = [true, false], permutation_map = affine_map<(d0, d1, d2) -> (0, d0)>} : memref<?x?x?xf32>, vector<4x[8]xf32>
  %3 = vector.transfer_read %m[%i, %i, %i], %p {in_bounds = [false], permutation_map = affine_map<(d0, d1, d2) -> (d2)>} : memref<?x?x?xf32>, vector<4xf32>
  return
}

// -----

// Elements that are vectors, and a base without dimensions.
func.func @elements(%m: memref<?x?xvector<4x3xf32>>, %z: memref<f32>, %i: index, %p: vector<4x3xf32>, %q: f32) {
  %0 = vector.transfer_read %m[%i, %i], %p {in_bounds = [true, true]} : memref<?x?xvector<4x3xf32>>, vector<1x1x4x3xf32>
  %1 = vector.transfer_read %m[%i, %i], %p : memref<?x?xvector<4x3xf32>>, vector<4x3xf32>
  vector.transfer_write %0, %m[%i, %i] {in_bounds = [false, true]} : vector<1x1x4x3xf32>, memref<?x?xvector<4x3xf32>>
  %2 = vector.transfer_read %z[], %q : memref<f32>, vector<f32>
  %3 = vector.transfer_read %z[], %q {in_bounds = [true], permutation_map = affine_map<() -> (0)>} : memref<f32>, vector<1xf32>
  vector.transfer_write %2, %z[] : vector<f32>, memref<f32>
  return
}

// -----

func.func @write(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %i: index, %v: vector<4x8xf32>, %mask: vector<4x8xi1>, %u: vector<8x4xf32>, %s: vector<[4]xf32>) -> tensor<?x?xf32> {
  vector.transfer_write %v, %m[%i, %i] : vector<4x8xf32>, memref<?x?xf32>
  vector.transfer_write %v, %m[%i, %i], %mask {in_bounds = [true, true]} : vector<4x8xf32>, memref<?x?xf32>
  vector.transfer_write %u, %m[%i, %i], %mask {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<8x4xf32>, memref<?x?xf32>
  vector.transfer_write %s, %m[%i, %i] {mark} : vector<[4]xf32>, memref<?x?xf32>
  %0 = vector.transfer_write %v, %t[%i, %i] {in_bounds = [true, false]} : vector<4x8xf32>, tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @generic(%m: memref<?x?xf32>, %i: index, %p: f32, %mask: vector<8xi1>) -> vector<8xf32> {
  %0 = "vector.transfer_read"(%m, %i, %i, %p, %mask) <{
    in_bounds = [true],
    operandSegmentSizes = array<i32: 1, 2, 1, 1>,
    permutation_map = affine_map<(d0, d1) -> (d1)>
  }> : (memref<?x?xf32>, index, index, f32, vector<8xi1>) -> vector<8xf32>
  "vector.transfer_write"(%0, %m, %i, %i) <{
    in_bounds = [false],
    operandSegmentSizes = array<i32: 1, 1, 2, 0>,
    permutation_map = affine_map<(d0, d1) -> (d0)>
  }> : (vector<8xf32>, memref<?x?xf32>, index, index) -> ()
  return %0 : vector<8xf32>
}
