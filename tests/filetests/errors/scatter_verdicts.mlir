// A transposed convolution is one kernel over what it updates; the sum of a thread is no case for wavefronts.
//
// test: error compile --emit=mlir --remarks
// exit: 0
// remark: 9:5: this loop nest becomes a kernel with a grid of 3 dimensions
// remark: 9:5: each thread of the kernel runs this loop, one iteration after the other: each iteration needs the result of the previous one
func.func @images(%x: memref<32x32x32xf32>, %w: memref<32x16x3x3xf32>, %y: memref<16x65x65xf32>) {
  affine.for %ci = 0 to 32 {
    affine.for %co = 0 to 16 {
      affine.for %i = 0 to 32 {
        affine.for %j = 0 to 32 {
          affine.for %p = 0 to 3 {
            affine.for %q = 0 to 3 {
              %u = affine.load %x[%ci, %i, %j] : memref<32x32x32xf32>
              %v = affine.load %w[%ci, %co, %p, %q] : memref<32x16x3x3xf32>
              %m = arith.mulf %u, %v : f32
              %s = affine.load %y[%co, %i * 2 + %p, %j * 2 + %q] : memref<16x65x65xf32>
              %t = arith.addf %s, %m : f32
              affine.store %t, %y[%co, %i * 2 + %p, %j * 2 + %q] : memref<16x65x65xf32>
            }
          }
        }
      }
    }
  }
  return
}
