// Windows that overlap share elements along the row of a tile, so that a tile is no wider than elsewhere: the rule for rows of large
// arrays whose elements are read once, which has tiles of up to 32 along a row, is not for them.
// test: opt --affine-mark-inbounds --affine-map-to-gpu=target=gathering-cpu --canonicalize --cse
// test: run-opt --arg=random:1 --arg=random:2 --arg=zeros
func.func @depthwise(%x: memref<59x61x67xf32>, %w: memref<5x67xf32>, %y: memref<55x57x67xf32>) {
  %0:3 = memref.distinct_objects %x, %w, %y : memref<59x61x67xf32>, memref<5x67xf32>, memref<55x57x67xf32>
  %zero = arith.constant 0.0 : f32
  affine.parallel (%i, %j, %c) = (0, 0, 0) to (55, 57, 67) {
    %sum = affine.for %p = 0 to 5 iter_args(%s = %zero) -> (f32) {
      %a = affine.load %0#0[%i + %p, %j, %c] : memref<59x61x67xf32>
      %b = affine.load %0#0[%i + %p, %j + 1, %c] : memref<59x61x67xf32>
      %d = arith.subf %b, %a : f32
      %f = affine.load %0#1[%p, %c] : memref<5x67xf32>
      %m = arith.mulf %d, %f : f32
      %t = arith.addf %s, %m : f32
      affine.yield %t : f32
    }
    affine.store %sum, %0#2[%i, %j, %c] : memref<55x57x67xf32>
  }
  return
}
