// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @masks(%i: index) {
  %0 = vector.constant_mask [3, 2] : vector<4x3xi1>
  %1 = vector.constant_mask [4, 8] {mark} : vector<4x[8]xi1>
  %2 = vector.constant_mask [0, 0] : vector<4x[8]xi1>
  %3 = vector.constant_mask [1] : vector<i1>
  %4 = vector.create_mask %i, %i : vector<4x[8]xi1>
  %5 = vector.create_mask %i {mark} : vector<i1>
  return
}

// -----

// An operation under a mask: the terminator passes on its results.
func.func @reductions(%m: vector<8xi1>, %v: vector<8xf32>, %mm: vector<4x8xi1>, %w: vector<4x8xf32>, %a: vector<4xf32>, %s: f32) -> f32 {
  %0 = vector.mask %m { vector.reduction <add>, %v : vector<8xf32> into f32 } : vector<8xi1> -> f32
  %1 = vector.mask %mm { vector.multi_reduction <add>, %w, %a [1] : vector<4x8xf32> to vector<4xf32> } : vector<4x8xi1> -> vector<4xf32>
  %2 = vector.mask %m {
    %sum = vector.reduction <mul>, %v, %s : vector<8xf32> into f32
    vector.yield %sum : f32
  } {mark} : vector<8xi1> -> f32
  return %2 : f32
}

// -----

func.func @products(%m: vector<3x4xi1>, %c: vector<4x2x8xi1>, %a: vector<3xf32>, %b: vector<4xf32>, %x: vector<4x8xf32>, %y: vector<8x2xf32>, %z: vector<4x2xf32>) {
  %0 = vector.mask %m { vector.outerproduct %a, %b : vector<3xf32>, vector<4xf32> } : vector<3x4xi1> -> vector<3x4xf32>
  %1 = vector.mask %c { vector.contract {
      indexing_maps = [
        affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>
      ],
      iterator_types = ["parallel", "parallel", "reduction"]
    } %x, %y, %z : vector<4x8xf32>, vector<8x2xf32> into vector<4x2xf32> } : vector<4x2x8xi1> -> vector<4x2xf32>
  return
}

// -----

func.func @memory(%m: vector<8xi1>, %v: vector<8xf32>, %x: vector<8xi32>, %b: memref<?xf32>, %t: tensor<?xf32>, %i: index, %p: f32, %q: vector<8x4xi1>, %c: memref<?x?xf32>, %w: vector<4x8xf32>) {
  %0 = vector.mask %m { vector.transfer_read %b[%i], %p : memref<?xf32>, vector<8xf32> } : vector<8xi1> -> vector<8xf32>
  %1 = vector.mask %m, %v { vector.transfer_read %b[%i], %p {in_bounds = [true]} : memref<?xf32>, vector<8xf32> } : vector<8xi1> -> vector<8xf32>
  vector.mask %m { vector.transfer_write %v, %b[%i] : vector<8xf32>, memref<?xf32> } : vector<8xi1>
  %2 = vector.mask %m { vector.transfer_write %v, %t[%i] : vector<8xf32>, tensor<?xf32> } : vector<8xi1> -> tensor<?xf32>
  %3 = vector.mask %m { vector.gather %b[%i] [%x], %m, %v : memref<?xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32> } : vector<8xi1> -> vector<8xf32>
  vector.mask %q { vector.transfer_write %w, %c[%i, %i] {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<4x8xf32>, memref<?x?xf32> } : vector<8x4xi1>
  return
}

// -----

// Nothing under the mask.
func.func @empty(%m: vector<8xi1>, %v: vector<8xf32>) -> vector<8xf32> {
  vector.mask %m { } : vector<8xi1>
  vector.mask %m { vector.yield } : vector<8xi1>
  %0 = vector.mask %m { vector.yield %v : vector<8xf32> } : vector<8xi1> -> vector<8xf32>
  %1 = vector.mask %m, %0 { vector.yield %v : vector<8xf32> } : vector<8xi1> -> vector<8xf32>
  return %1 : vector<8xf32>
}
