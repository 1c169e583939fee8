// row_sum: the sum of every row of a matrix.
//
//     sums[i] = sum over j of a[i, j]          for 0 <= i < 512, 0 <= j < 300
//
// Arguments: a (512 × 300 × f32, read), sums (512 × f32, written).
// The rows are independent; the sum of one row is carried in a value by iter_args.
//
// Run:  gridloom run examples/row_sum.mlir --arg random:1 --arg zeros

func.func @row_sum(%a: memref<512x300xf32>, %sums: memref<512xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 512 {
    %row = affine.for %j = 0 to 300 iter_args(%partial = %zero) -> (f32) {
      %aij = affine.load %a[%i, %j] : memref<512x300xf32>
      %sum = arith.addf %partial, %aij : f32
      affine.yield %sum : f32
    }
    affine.store %row, %sums[%i] : memref<512xf32>
  }
  return
}
