// A run has one device, number 0: choosing it changes nothing.
//
// test: run --arg=iota
// expect: arg 0 = [0, 2, 4, 6]
func.func @main(%a: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  gpu.set_default_device %zero
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i] : memref<4xi32>
    %y = arith.addi %x, %x : i32
    affine.store %y, %a[%i] : memref<4xi32>
  }
  return
}
