// A buffer beyond the device's limit keeps its launch on the host, which is an error where the device is required.
//
// test: error run --device llvmpipe --require-device --arg=zeros
// error: 7:3: kernel 'f_kernel0' cannot run on the device: a buffer of 160000000 bytes asks for 160000000 but
func.func @f(%x: memref<40000000xf32>) {
  %one = arith.constant 1.0 : f32
  affine.for %i = 0 to 40000000 {
    affine.store %one, %x[%i] : memref<40000000xf32>
  }
  return
}
