// test: error opt "--affine-schedule=in @one: reverse(i); turn(i)"
// exit: 2
// error: schedule:1:22: there is no step 'turn'

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
