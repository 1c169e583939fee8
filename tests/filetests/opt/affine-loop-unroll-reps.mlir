// test: opt "--affine-loop-unroll=unroll-factor=2 unroll-num-reps=2 cleanup-unroll"
// test: run-opt --arg=iota --arg=zeros
// expect: arg 1 = [0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30]
// Eleven iterations are five rows of two and one behind, then two rows of two rows and one.
func.func @main(%a: memref<11xi32>, %b: memref<11xi32>) {
  %three = arith.constant 3 : i32
  affine.for %i = 0 to 11 {
    %x = affine.load %a[%i] : memref<11xi32>
    %y = arith.muli %x, %three : i32
    affine.store %y, %b[%i] : memref<11xi32>
  }
  return
}
