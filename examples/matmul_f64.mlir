// matmul_f64: the general matrix product of BLAS in double precision.
//
//     c[i, j] = beta * c[i, j] + alpha * (sum over k of a[i, k] * b[k, j])
//     for 0 <= i < 96, 0 <= j < 112, 0 <= k < 128
//
// Arguments: alpha, beta (f64), a (96 × 128 × f64, read), b (128 × 112 × f64,
// read), c (96 × 112 × f64, read and written).
// A device without 64-bit floats refuses the kernels; ask for another one or
// for the interpreter (--device cpu).
//
// Run:  gridloom run examples/matmul_f64.mlir --arg 1.5 --arg 0.5 \
//           --arg random:1 --arg random:2 --arg ones

func.func @matmul_f64(%alpha: f64, %beta: f64, %a: memref<96x128xf64>,
                      %b: memref<128x112xf64>, %c: memref<96x112xf64>) {
  affine.for %i = 0 to 96 {
    affine.for %j = 0 to 112 {
      %before = affine.load %c[%i, %j] : memref<96x112xf64>
      %scaled = arith.mulf %beta, %before : f64
      affine.store %scaled, %c[%i, %j] : memref<96x112xf64>
      affine.for %k = 0 to 128 {
        %aik = affine.load %a[%i, %k] : memref<96x128xf64>
        %bkj = affine.load %b[%k, %j] : memref<128x112xf64>
        %cij = affine.load %c[%i, %j] : memref<96x112xf64>
        %product = arith.mulf %aik, %bkj : f64
        %term = arith.mulf %alpha, %product : f64
        %sum = arith.addf %cij, %term : f64
        affine.store %sum, %c[%i, %j] : memref<96x112xf64>
      }
    }
  }
  return
}
