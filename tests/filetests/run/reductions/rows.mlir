// A sum of each row. Elements count from 0, so row i of 101 has 101 * 101 * i + 5050.
// test: run --arg=iota[5x101] --arg=zeros[5]
// expect: arg 1 = [5050, 15251, 25452, 35653, 45854]
// One row, rows without elements, no rows.
// test: run --arg=iota[1x3] --arg=ones[1]
// expect: arg 1 = [3]
// test: run --arg=iota[4x0] --arg=ones[4]
// expect: arg 1 = [0, 0, 0, 0]
// test: run --arg=iota[0x4] --arg=ones[0]
func.func @rows(%a: memref<?x?xi32>, %y: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %m = memref.dim %a, %c0 : memref<?x?xi32>
  %n = memref.dim %a, %c1 : memref<?x?xi32>
  affine.for %i = 0 to %m {
    %s = affine.for %j = 0 to %n iter_args(%acc = %zero) -> i32 {
      %x = affine.load %a[%i, %j] : memref<?x?xi32>
      %t = arith.addi %acc, %x : i32
      affine.yield %t : i32
    }
    affine.store %s, %y[%i] : memref<?xi32>
  }
  return
}
