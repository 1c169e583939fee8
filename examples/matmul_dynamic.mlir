// matmul_dynamic: the product of two matrices whose sizes are known only at run time.
//
//     c[i, j] = sum over k of a[i, k] * b[k, j]     for 0 <= i < m, 0 <= j < n, 0 <= k < p
//
// Arguments: a (m × p × f32, read), b (p × n × f32, read), c (m × n × f32,
// written). The sizes come with the arrays: m and n from c, p from a.
// The sum is carried by the innermost loop in a value, not through memory.
//
// Run:  gridloom run examples/matmul_dynamic.mlir \
//           --arg 'random:1[201x77]' --arg 'random:2[77x130]' --arg 'zeros[201x130]'

func.func @matmul_dynamic(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = memref.dim %c, %c0 : memref<?x?xf32>
  %n = memref.dim %c, %c1 : memref<?x?xf32>
  %p = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %dot = affine.for %k = 0 to %p iter_args(%partial = %zero) -> (f32) {
        %aik = affine.load %a[%i, %k] : memref<?x?xf32>
        %bkj = affine.load %b[%k, %j] : memref<?x?xf32>
        %product = arith.mulf %aik, %bkj : f32
        %sum = arith.addf %partial, %product : f32
        affine.yield %sum : f32
      }
      affine.store %dot, %c[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
