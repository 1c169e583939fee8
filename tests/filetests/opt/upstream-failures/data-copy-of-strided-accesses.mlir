// test: opt "--affine-data-copy-generate=skip-non-unit-stride-loops"
// test: run-opt --arg=iota --arg=ones
// expect: arg 1 = [0, 1, 1, 2, 1, 1, 4, 1, 1, 6, 1, 1]
// The buffer of every third element keeps what lies between: it is copied in before it is copied out.
func.func @main(%a: memref<8xi32>, %b: memref<12xi32>) {
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i * 2] : memref<8xi32>
    affine.store %x, %b[%i * 3] : memref<12xi32>
  }
  return
}
