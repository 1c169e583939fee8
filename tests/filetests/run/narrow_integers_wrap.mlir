// 8-bit arithmetic wraps: with x = 100 + i, x + 100 modulo 256 is 200 + i, read as signed; an unsigned
// comparison and a logical shift see the same bits as unsigned.
//
// test: run --arg=iota --arg=zeros --arg=zeros --arg=zeros
// expect: arg 1 = [-56, -55, -54, -53]
// expect: arg 2 = [1, 1, 1, 1]
// expect: arg 3 = [100, 100, 101, 101]
func.func @f(%x: memref<4xi8>, %sum: memref<4xi8>, %above: memref<4xi1>, %half: memref<4xi8>) {
  %hundred = arith.constant 100 : i8
  %one = arith.constant 1 : i8
  affine.for %i = 0 to 4 {
    %offset = affine.load %x[%i] : memref<4xi8>
    %v = arith.addi %offset, %hundred : i8
    %s = arith.addi %v, %hundred : i8
    affine.store %s, %sum[%i] : memref<4xi8>
    %c = arith.cmpi ugt, %s, %hundred : i8
    affine.store %c, %above[%i] : memref<4xi1>
    %h = arith.shrui %s, %one : i8
    affine.store %h, %half[%i] : memref<4xi8>
  }
  return
}
