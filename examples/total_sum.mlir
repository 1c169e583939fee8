// total_sum: the sum of all elements of a matrix, in one number.
//
//     total = sum over i, j of a[i, j]          for 0 <= i < 400, 0 <= j < 250
//
// Arguments: a (400 × 250 × f32, read), total (one f32 of rank 0, written).
// Both loops carry the sum (iter_args of iter_args). As written there is no
// parallel loop; a compiler that may reassociate can split the sum.
//
// Run:  gridloom run examples/total_sum.mlir --arg ones --arg zeros

func.func @total_sum(%a: memref<400x250xf32>, %total: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  %all = affine.for %i = 0 to 400 iter_args(%above = %zero) -> (f32) {
    %row = affine.for %j = 0 to 250 iter_args(%partial = %above) -> (f32) {
      %aij = affine.load %a[%i, %j] : memref<400x250xf32>
      %sum = arith.addf %partial, %aij : f32
      affine.yield %sum : f32
    }
    affine.yield %row : f32
  }
  affine.store %all, %total[] : memref<f32>
  return
}
