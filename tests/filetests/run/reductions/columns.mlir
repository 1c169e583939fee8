// A sum of each column. Of 300 rows of 3 elements that count from 0, column j has
// 3 * 299 * 300 / 2 + 300 * j; a row that ends a chunk counts once.
// test: run --arg=iota[300x3] --arg=zeros[3]
// expect: arg 1 = [134550, 134850, 135150]
// As many rows as a chunk has: column j has 2 * 127 * 128 / 2 + 128 * j. No rows, no columns.
// test: run --arg=iota[128x2] --arg=ones[2]
// expect: arg 1 = [16256, 16384]
// test: run --arg=iota[0x3] --arg=ones[3]
// expect: arg 1 = [0, 0, 0]
// test: run --arg=iota[9x0] --arg=ones[0]
func.func @columns(%a: memref<?x?xi32>, %y: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %m = memref.dim %a, %c0 : memref<?x?xi32>
  %n = memref.dim %a, %c1 : memref<?x?xi32>
  affine.for %j = 0 to %n {
    %s = affine.for %i = 0 to %m iter_args(%acc = %zero) -> i32 {
      %x = affine.load %a[%i, %j] : memref<?x?xi32>
      %t = arith.addi %acc, %x : i32
      affine.yield %t : i32
    }
    affine.store %s, %y[%j] : memref<?xi32>
  }
  return
}
