// test: opt --affine-parallelize
// test: run-opt --entry=rows --arg=random:1 --arg=6

// The outer loop is parallel, with bounds of two results; the inner one carries a sum.
func.func @rows(%a: memref<16x16xf32>, %n: index) {
  affine.for %i = max affine_map<(d0) -> (0, d0)>(%n) to 16 step 2 {
    affine.for %j = 1 to 16 {
      %x = affine.load %a[%i, %j - 1] : memref<16x16xf32>
      affine.store %x, %a[%i, %j] : memref<16x16xf32>
    }
  }
  return
}
