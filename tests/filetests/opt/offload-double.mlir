// The whole pipeline on one loop: a launch, and a kernel whose threads are the iterations.
//
// test: opt --offload
// test: run-opt --arg=iota --arg=zeros
// expect: arg 1 = [0, 2, 4, 6, 8, 10, 12]
func.func @double(%x: memref<7xf32>, %y: memref<7xf32>) {
  affine.for %i = 0 to 7 {
    %v = affine.load %x[%i] : memref<7xf32>
    %w = arith.addf %v, %v : f32
    affine.store %w, %y[%i] : memref<7xf32>
  }
  return
}
