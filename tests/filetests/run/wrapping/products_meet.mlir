// i * -2^63 wraps around to 0 for each even i: all iterations store to one element, and the last one is that of 6.
//
// test: run --arg=zeros
// expect: arg 0 = [6, 0, 0, 0]
func.func @main(%a: memref<4xi32>) {
  affine.for %i = 0 to 8 step 2 {
    %n = arith.index_cast %i : index to i32
    %big = arith.constant -9223372036854775808 : index
    %p = arith.muli %i, %big : index
    memref.store %n, %a[%p] : memref<4xi32>
  }
  return
}
