// Threads that share a loop, as reductions are cut: the test compares the sizes of both arguments,
// and partial results are in range by the size of their array.
// test: opt --affine-guard-bounds --affine-mark-inbounds
// test: run-opt --arg=random:1[70] --arg=random:1[70] --arg=zeros
// test: run-opt --arg=random:1[70] --arg=random:1[71] --arg=zeros
func.func @dot(%a: memref<?xf32>, %b: memref<?xf32>, %s: memref<f32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %zero = arith.constant 0.0 : f32
  %chunks = affine.apply affine_map<()[s0] -> ((s0 ceildiv 64) * 8)>()[%n]
  %size = arith.maxsi %chunks, %c0 : index
  %part = memref.alloc(%size) : memref<?xf32>
  affine.parallel (%p) = (0) to ((symbol(%n) ceildiv 64) * 8) {
    %t = affine.for %i = affine_map<(d0) -> ((d0 floordiv 8) * 64 + d0 mod 8)>(%p)
        to min affine_map<(d0)[s0] -> (s0, (d0 floordiv 8) * 64 + 64)>(%p)[%n] step 8
        iter_args(%acc = %zero) -> (f32) {
      %x = affine.load %a[%i] : memref<?xf32>
      %y = affine.load %b[%i] : memref<?xf32>
      %z = arith.mulf %x, %y : f32
      %w = arith.addf %acc, %z : f32
      affine.yield %w : f32
    }
    affine.store %t, %part[%p] : memref<?xf32>
  }
  %sum = affine.for %p = 0 to affine_map<()[s0] -> ((s0 ceildiv 64) * 8)>()[%n]
      iter_args(%acc = %zero) -> (f32) {
    %x = affine.load %part[%p] : memref<?xf32>
    %w = arith.addf %acc, %x : f32
    affine.yield %w : f32
  }
  affine.store %sum, %s[] : memref<f32>
  memref.dealloc %part : memref<?xf32>
  return
}
