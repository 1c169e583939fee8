// A fresh buffer is zero on both sides and goes to no device; what host and device each write of it later
// is there for the other. The host writes 1, 6, 3, 2, 4, 0 and so on, 16 a period: with 499500 by the device
// 166 * 16 + 12 + 499500.
// test: run --entry=halves --arg=zeros
// expect: arg 0 = [502168]
// test: run --map-for=gpu --entry=halves --arg=zeros
// expect: arg 0 = [502168]
func.func @halves(%r: memref<1xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %five = arith.constant 5 : i32
  %seven = arith.constant 7 : i32
  %a = memref.alloc() : memref<2000xi32>
  affine.for %i = 0 to 1000 {
    %x = arith.index_cast %i : index to i32
    affine.store %x, %a[%i] : memref<2000xi32>
  }
  %last = affine.for %i = 1000 to 2000 iter_args(%x = %one) -> i32 {
    affine.store %x, %a[%i] : memref<2000xi32>
    %p = arith.muli %x, %five : i32
    %s = arith.addi %p, %one : i32
    %n = arith.remsi %s, %seven : i32
    affine.yield %n : i32
  }
  %all = affine.for %i = 0 to 2000 iter_args(%sum = %zero) -> i32 {
    %x = affine.load %a[%i] : memref<2000xi32>
    %n = arith.addi %sum, %x : i32
    affine.yield %n : i32
  }
  affine.store %all, %r[0] : memref<1xi32>
  memref.dealloc %a : memref<2000xi32>
  return
}
