// What stays on the host for the sake of the order says so.

// test: error opt --offload=fp=strict
// exit: 0
func.func @sum(%a: memref<256xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  // remark: 8:8: it is a reduction by 'arith.addf', and strict floats keep its order
  %s = affine.for %i = 0 to 256 iter_args(%acc = %zero) -> f32 {
    %x = affine.load %a[%i] : memref<256xf32>
    %y = arith.addf %acc, %x : f32
    affine.yield %y : f32
  }
  return %s : f32
}
