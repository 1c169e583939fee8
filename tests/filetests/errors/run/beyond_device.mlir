// test: error run --device llvmpipe --arg=zeros
// exit: 3
// error: asks for 160000000 but
func.func @f(%x: memref<40000000xf32>) {
  %one = arith.constant 1.0 : f32
  affine.for %i = 0 to 40000000 {
    affine.store %one, %x[%i] : memref<40000000xf32>
  }
  return
}
