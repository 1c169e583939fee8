// Bounds become constants, expressions arithmetic; division and remainder round as the language says.
//
// test: opt --lower-affine
// test: run-opt --entry=f --arg=random:1 --arg=6
func.func @f(%x: memref<20xf32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to %n step 2 {
    affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%i) {
      affine.store %zero, %x[(%i + 1) mod 20] : memref<20xf32>
    }
  }
  return
}
