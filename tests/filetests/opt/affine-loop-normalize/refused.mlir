// test: error opt --affine-loop-normalize
// exit: 0
// remark: 8:3: the difference of its bounds may overflow the 64-bit index
// remark: 16:3: its lower bound is a maximum

// %n - %m may be less than any number that 64 bits hold, and %n is no bound of the difference if %m is negative.
func.func @both_open(%a: memref<?xi32>, %x: i32, %m: index, %n: index) {
  affine.for %i = %m to %n {
    affine.store %x, %a[%i] : memref<?xi32>
  }
  return
}

// Where the loop starts depends on which bound is greater.
func.func @greatest(%a: memref<16xi32>, %x: i32, %m: index) {
  affine.for %i = max affine_map<()[s0] -> (0, s0)>()[%m] to 16 {
    affine.store %x, %a[%i] : memref<16xi32>
  }
  return
}
