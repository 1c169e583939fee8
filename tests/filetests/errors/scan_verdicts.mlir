// A scan stays on the host because of its length, or of the order of floats.
//
// test: error compile --remarks --fp strict
// exit: 0
// remark: 11:8: this loop nest runs on the host: it is a scan that is too short for kernels
// remark: 21:8: this loop nest runs on the host: it is a scan of floats, and strict floats keep its order; relaxed floats, or fastmath<reassoc>, permit partial results
// remark: 32:8: this loop nest runs on the host: each iteration needs the result of the previous one
// remark: 39:3: this loop becomes a kernel: each thread runs one of its iterations
func.func @short(%x: memref<1025xi32>, %y: memref<1025xi32>) {
  %zero = arith.constant 0 : i32
  %r = affine.for %i = 0 to 1025 iter_args(%s = %zero) -> i32 {
    %v = affine.load %x[%i] : memref<1025xi32>
    %t = arith.addi %s, %v : i32
    affine.store %t, %y[%i] : memref<1025xi32>
    affine.yield %t : i32
  }
  return
}
func.func @ordered(%x: memref<100000xf32>, %y: memref<100000xf32>) {
  %zero = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to 100000 iter_args(%s = %zero) -> f32 {
    %v = affine.load %x[%i] : memref<100000xf32>
    %t = arith.addf %s, %v : f32
    affine.store %t, %y[%i] : memref<100000xf32>
    affine.yield %t : f32
  }
  return
}
// No scan: each number depends on the one before by more than a sum.
func.func @neither(%x: memref<1025xi32>, %y: memref<1025xi32>) {
  %one = arith.constant 1 : i32
  %r = affine.for %i = 0 to 1025 iter_args(%s = %one) -> i32 {
    %v = affine.load %x[%i] : memref<1025xi32>
    %p = arith.muli %s, %s : i32
    %t = arith.addi %p, %v : i32
    affine.store %t, %y[%i] : memref<1025xi32>
    affine.yield %t : i32
  }
  affine.for %i = 0 to 1025 {
    affine.store %r, %x[%i] : memref<1025xi32>
  }
  return
}
