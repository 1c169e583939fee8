// Short loops over windows: the tile that juts out is done point by point, so that the loads of the others are of
// neighbours. 3 and 7 are no multiples of 2 and 4.
// test: opt "--affine-map-to-gpu=target=cpu tile=4x2" --canonicalize --cse
// test: run --arg=iota --arg=zeros
// test: run-opt --arg=iota --arg=zeros
// expect: arg 1 = [18, 22, 26, 30, 34, 38, 42, 50, 54, 58, 62, 66, 70, 74, 82, 86, 90, 94, 98, 102, 106]
func.func @box(%x: memref<4x8xf32>, %y: memref<3x7xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<4x8xf32>, memref<3x7xf32>
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 7 {
      %s = affine.for %p = 0 to 2 iter_args(%t = %zero) -> (f32) {
        %u = affine.for %q = 0 to 2 iter_args(%v = %t) -> (f32) {
          %e = affine.load %0#0[%i + %p, %j + %q] : memref<4x8xf32>
          %f = arith.addf %v, %e : f32
          affine.yield %f : f32
        }
        affine.yield %u : f32
      }
      affine.store %s, %0#1[%i, %j] : memref<3x7xf32>
    }
  }
  return
}
