// test: error compile --remarks
// exit: 0
// remark: 15:8: each workgroup of this loop nest computes one iteration, shared by 256 threads
// remark: 15:8: this loop becomes a kernel: each workgroup runs one of its iterations
// remark: 15:8: the threads of the workgroup share the iterations of this loop
// remark: 15:8: the host combines the partial results of this loop's kernel
// remark: 24:8: each workgroup of this loop nest computes one iteration, shared by 256 threads
// remark: 24:8: this loop becomes a kernel: each workgroup runs one of its iterations
// remark: 24:8: the threads of the workgroup share the iterations of this loop
// remark: 24:8: the host runs what the kernels of this loop leave: each iteration needs the result of the previous one
// The host does little of these loops, which their remarks tell.

func.func @sum(%x: memref<100000xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %r = affine.for %i = 0 to 100000 iter_args(%s = %zero) -> i32 {
    %v = affine.load %x[%i] : memref<100000xi32>
    %t = arith.addi %s, %v : i32
    affine.yield %t : i32
  }
  return %r : i32
}
func.func @best(%x: memref<100000xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to 100000 iter_args(%s = %zero) -> f32 {
    %v = affine.load %x[%i] : memref<100000xf32>
    %c = arith.cmpf ogt, %v, %s : f32
    %t = arith.select %c, %v, %s : f32
    affine.yield %t : f32
  }
  return %r : f32
}
