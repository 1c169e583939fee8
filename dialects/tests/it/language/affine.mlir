// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
"m.maps"() {a = affine_map<() -> ()>, b = affine_map<() -> (1)>, c = affine_map<(d0) -> (d0 + 1)>, d = affine_map<(i, j)[n] -> (i * 2 - j, n - 3, i mod 4, j floordiv n, (i + j) ceildiv 8)>, e = affine_map<(d0, d1) -> (d0 - d1, -d0, -(d0 + d1), d0 - (d1 - 1))>, f = affine_map<(d0)[s0] -> (d0 * s0, s0 * d0, 2 * d0, d0 * -1)>, g = affine_map<()[s0] -> (s0)>, h = affine_map<(d0) -> (d0 + d0, d0 * 2 + d0 * 3, d0 - d0)>, i = affine_map<(d0) -> (d0 * 4 floordiv 2, d0 * 4 mod 2, (d0 mod 8) mod 4, d0 floordiv 1)>, j = affine_map<(d0, d1)[s0, s1] -> ((d0 floordiv s0) * s0 + s1 * d1)>, k = affine_map<(d0) -> (1 + d0 + 2, (3 * d0) * 4)>} : () -> ()
"m.sets"() {a = affine_set<(d0) : (d0 >= 0)>, b = affine_set<(d0)[s0] : (d0 == 0, s0 - d0 - 1 >= 0)>, c = affine_set<() : ()>, d = affine_set<(d0, d1) : (d0 >= d1, d0 <= 10, d0 == d1 + 2)>, e = affine_set<(d0) : (1 == 0)>} : () -> ()
// -----
func.func @forms(%a: memref<16x16xf32>, %b: memref<?xf32>, %n: index, %m: index) -> f32 {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 16 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to min affine_map<(d0)[s0] -> (d0 + 4, s0)>(%i)[%n] step 2 {
      %x = affine.load %a[%i + 1 - 1, (%j * 2) mod 16] : memref<16x16xf32>
      affine.store %x, %b[%i * 4 + %j floordiv 3 + symbol(%n) * 2] {tag} : memref<?xf32>
    }
  } {outer}
  affine.for %i = %n to %m {
  }
  %s:2 = affine.for %i = max affine_map<()[s0, s1] -> (s0, s1, 3)>()[%n, %m] to 100 iter_args(%p = %zero, %q = %zero) -> (f32, f32) {
    %r = affine.if affine_set<(d0)[s0] : (d0 - 2 >= 0, s0 - d0 >= 0)>(%i)[%n] -> f32 {
      affine.yield %p : f32
    } else {
      affine.yield %q : f32
    }
    affine.yield %r, %q : f32, f32
  }
  affine.if affine_set<() : ()>() {
  }
  affine.if affine_set<()[s0] : (s0 >= 0)>()[%n] {
    "x.y"() : () -> ()
  } else {
    "x.z"() : () -> ()
  }
  %v = affine.vector_load %b[%n] : memref<?xf32>, vector<4xf32>
  affine.vector_store %v, %b[%n + 4] : memref<?xf32>, vector<4xf32>
  affine.prefetch %a[%n, %m + 5], read, locality<3>, data : memref<16x16xf32>
  %min = affine.min affine_map<(d0)[s0] -> (d0, s0)>(%n)[%m]
  %max = affine.max affine_map<(d0) -> (d0, 8)>(%n)
  %app = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%min, %max) {note}
  %sum = affine.parallel (%i, %j) = (0, max(%n, %m + 1)) to (%n, min(%m, 100)) step (1, 2) reduce ("addf") -> (f32) {
    affine.yield %zero : f32
  }
  affine.parallel (%i) = (symbol(%n)) to (%m * 2) {
  }
  affine.parallel () = () to () {
  }
  %d:2 = affine.delinearize_index %n into (4, %m) : index, index
  %l = affine.linearize_index disjoint [%d#0, %d#1] by (4, 8) : index
  return %sum : f32
}
