// Four reductions of one loop, whose 1003 iterations are no multiple of the vector.
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [502503, 1002, 3, 334]
func.func @fixed(%a: memref<1003xi32>, %r: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %all:4 = affine.for %i = 0 to 1003
      iter_args(%sum = %zero, %most = %zero, %any = %three, %count = %zero) -> (i32, i32, i32, i32) {
    %x = affine.load %a[%i] : memref<1003xi32>
    %s = arith.addi %sum, %x : i32
    %m = arith.maxui %most, %x : i32
    %low = arith.andi %x, %one : i32
    %o = arith.ori %any, %low : i32
    %rest = arith.remui %x, %three : i32
    %is = arith.cmpi eq, %rest, %one : i32
    %more = arith.addi %count, %one : i32
    %c = arith.select %is, %more, %count : i32
    affine.yield %s, %m, %o, %c : i32, i32, i32, i32
  }
  affine.store %all#0, %r[0] : memref<4xi32>
  affine.store %all#1, %r[1] : memref<4xi32>
  affine.store %all#2, %r[2] : memref<4xi32>
  affine.store %all#3, %r[3] : memref<4xi32>
  return
}
