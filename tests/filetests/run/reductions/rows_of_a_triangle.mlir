// Sums of the rows of a lower triangle, every other one from the second, without the
// first column: row i of 5 columns has 5 i + j for j = 1 … i, which is 6 and 51.
// test: run --arg=iota[5x5] --arg=zeros[5]
// expect: arg 1 = [0, 6, 0, 51, 0]
func.func @triangle(%a: memref<?x?xi32>, %y: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %m = memref.dim %a, %c0 : memref<?x?xi32>
  affine.for %i = 1 to %m step 2 {
    %sum = affine.for %j = 1 to affine_map<(d0) -> (d0 + 1)>(%i) iter_args(%acc = %zero) -> i32 {
      %x = affine.load %a[%i, %j] : memref<?x?xi32>
      %t = arith.addi %acc, %x : i32
      affine.yield %t : i32
    }
    affine.store %sum, %y[%i] : memref<?xi32>
  }
  return
}
