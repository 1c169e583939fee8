// Rows of at most one iteration that update a vector in place: tiles of four begin with the first iteration, also where
// later ones would be aligned. Each element is multiplied once.
// test: run --map-for=cpu --arg=iota --arg=ones
// test: run --map-for=gpu --arg=iota --arg=ones
// expect: result 0 = 1
// expect: result 1 = 1
// expect: result 2 = 3
// expect: result 3 = 7
func.func @main(%x: memref<3001xi32>, %y: memref<3003xi32>) -> (i32, i32, i32, i32) {
  affine.for %a = 0 to 3001 {
    affine.for %b = 1 to min affine_map<(d0) -> (2, d0 + 1)>(%a) {
      %u = affine.load %x[%a] : memref<3001xi32>
      %s = affine.load %y[%a + %b + 1] : memref<3003xi32>
      %t = arith.muli %u, %s : i32
      affine.store %t, %y[%a + %b + 1] : memref<3003xi32>
    }
  }
  %p = affine.load %y[2] : memref<3003xi32>
  %q = affine.load %y[3] : memref<3003xi32>
  %r = affine.load %y[5] : memref<3003xi32>
  %v = affine.load %y[9] : memref<3003xi32>
  return %p, %q, %r, %v : i32, i32, i32, i32
}
