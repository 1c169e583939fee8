// What a tile of 8 by 8 points loads and stores outside of its loop is a loop over the points, through
// an array; 37 and 43 are no multiples of 8, so that a place beyond stands for the first point.
// test: opt "--affine-map-to-gpu=target=cpu tile=8x8" --canonicalize --cse
// test: run-opt --arg=random:1 --arg=random:1 --arg=random:1
// test: run --arg=random:1 --arg=random:1 --arg=random:1
func.func @product(%a: memref<37x5xf32>, %b: memref<5x43xf32>, %c: memref<37x43xf32>) {
  %x:2 = memref.distinct_objects %a, %c : memref<37x5xf32>, memref<37x43xf32>
  %y:2 = memref.distinct_objects %b, %x#1 : memref<5x43xf32>, memref<37x43xf32>
  affine.for %i = 0 to 37 {
    affine.for %j = 0 to 43 {
      %z = affine.load %y#1[%i, %j] : memref<37x43xf32>
      %s = affine.for %k = 0 to 5 iter_args(%acc = %z) -> (f32) {
        %u = affine.load %x#0[%i, %k] : memref<37x5xf32>
        %v = affine.load %y#0[%k, %j] : memref<5x43xf32>
        %p = arith.mulf %u, %v : f32
        %w = arith.addf %acc, %p : f32
        affine.yield %w : f32
      }
      affine.store %s, %y#1[%i, %j] : memref<37x43xf32>
    }
  }
  return
}
