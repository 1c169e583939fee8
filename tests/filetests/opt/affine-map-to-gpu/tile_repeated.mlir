// test: opt --affine-map-to-gpu=tile=2x2 --canonicalize --cse
// test: run --arg=zeros
// test: run-opt --arg=zeros
// expect: arg 0 = [0, 1, 1, 1, 0, 1, 1, 1]
// What runs under a condition that depends on the point, and is no sum of multiples of counters, is repeated as a
// whole.
// Tiles interleave along x: the points of one are as many apart as a workgroup has threads, four here.
func.func @guarded(%a: memref<8xf32>) {
  %one = arith.constant 1.0 : f32
  affine.for %i = 0 to 8 {
    affine.if affine_set<(d0) : (d0 mod 4 - 1 >= 0)>(%i) {
      affine.store %one, %a[%i] : memref<8xf32>
    }
  }
  return
}
