// A stream on a GPU: one vector of four of each array a thread, workgroups of 256 threads, no loop.
// test: spirv
// test: run --map-for=gpu --arg=iota --arg=ones --arg=zeros
func.func @triad(%a: memref<262144xf32>, %b: memref<262144xf32>, %c: memref<262144xf32>) {
  %s = arith.constant 3.0 : f32
  affine.for %i = 0 to 262144 {
    %x = affine.load %a[%i] : memref<262144xf32>
    %y = affine.load %b[%i] : memref<262144xf32>
    %p = arith.mulf %s, %y : f32
    %q = arith.addf %x, %p : f32
    affine.store %q, %c[%i] : memref<262144xf32>
  }
  return
}
