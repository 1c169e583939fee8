// Accesses in a branch that all points of a tile take together are loops over the points as well. Here they run where
// the sum has terms.
// test: opt "--affine-map-to-gpu=target=cpu tile=8x8" --canonicalize --cse
// test: run-opt --arg=random:1 --arg=random:1 --arg=random:1 --arg=3
// test: run --arg=random:1 --arg=random:1 --arg=random:1 --arg=3
// test: run --arg=random:1 --arg=random:1 --arg=random:1 --arg=0
func.func @product(%a: memref<37x50xf32>, %b: memref<50x43xf32>, %c: memref<37x43xf32>, %n: index) {
  %x:2 = memref.distinct_objects %a, %c : memref<37x50xf32>, memref<37x43xf32>
  %y:2 = memref.distinct_objects %b, %x#1 : memref<50x43xf32>, memref<37x43xf32>
  affine.for %i = 0 to 37 {
    affine.for %j = 0 to 43 {
      affine.if affine_set<()[s0] : (s0 - 1 >= 0)>()[%n] {
        %z = affine.load %y#1[%i, %j] : memref<37x43xf32>
        %s = affine.for %k = 0 to min affine_map<()[s0] -> (s0, 50)>()[%n] iter_args(%acc = %z) -> (f32) {
          %u = affine.load %x#0[%i, %k] : memref<37x50xf32>
          %v = affine.load %y#0[%k, %j] : memref<50x43xf32>
          %p = arith.mulf %u, %v : f32
          %w = arith.addf %acc, %p : f32
          affine.yield %w : f32
        }
        affine.store %s, %y#1[%i, %j] : memref<37x43xf32>
      }
    }
  }
  return
}
