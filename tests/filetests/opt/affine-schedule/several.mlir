// test: error opt "--affine-schedule=reverse(i)"
// exit: 1
// error: 1:1: step 'reverse(i)' is refused: several functions have loops; say which one is meant by 'in @name:' before the step (@one, @two)

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
