// test: error opt "--affine-schedule=in @three: reverse(i)"
// exit: 1
// error: 1:12: step 'reverse(i)' is refused: there is no function @three

func.func @one(%a: memref<8xi32>, %x: i32) {
  affine.for %i = 0 to 8 {
    affine.store %x, %a[%i] : memref<8xi32>
  }
  return
}

func.func @two(%a: memref<8xi32>, %x: i32) {
  affine.for %i = 0 to 8 {
    affine.store %x, %a[%i] : memref<8xi32>
  }
  return
}
