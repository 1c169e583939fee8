// test: opt --affine-map-to-gpu=tile=2x2 --canonicalize --cse
// test: run --arg=iota --arg=zeros
// test: run-opt --arg=iota --arg=zeros
// expect: arg 1 = [0, 0, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 0, 0]
// Without loops in the body, the tile that juts out is done point by point, and neighbours of the others are loaded
// once.
func.func @smooth(%a: memref<7x2xf32>, %b: memref<7x2xf32>) {
  %0:2 = memref.distinct_objects %a, %b : memref<7x2xf32>, memref<7x2xf32>
  affine.for %i = 1 to 6 {
    affine.for %j = 0 to 2 {
      %x = affine.load %0#0[%i - 1, %j] : memref<7x2xf32>
      %y = affine.load %0#0[%i, %j] : memref<7x2xf32>
      %z = affine.load %0#0[%i + 1, %j] : memref<7x2xf32>
      %s = arith.addf %x, %y : f32
      %t = arith.addf %s, %z : f32
      affine.store %t, %0#1[%i, %j] : memref<7x2xf32>
    }
  }
  return
}
