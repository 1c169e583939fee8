// The tile of a thread fits the matrices of three rows, though the number of matrices is open.
// test: opt --affine-mark-inbounds --affine-map-to-gpu=target=gathering-cpu
// test: run-opt --entry=times_vectors --arg=random:1[301x3x3] --arg=random:2[301x3] --arg=zeros[301x3]

func.func @times_vectors(%m: memref<?x3x3xf32>, %x: memref<?x3xf32>, %y: memref<?x3xf32>) {
  %0:3 = memref.distinct_objects %m, %x, %y : memref<?x3x3xf32>, memref<?x3xf32>, memref<?x3xf32>
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %m, %c0 : memref<?x3x3xf32>
  affine.for %i = 0 to %n {
    affine.for %r = 0 to 3 {
      %s = affine.for %k = 0 to 3 iter_args(%t = %z) -> (f32) {
        %a = affine.load %0#0[%i, %r, %k] : memref<?x3x3xf32>
        %b = affine.load %0#1[%i, %k] : memref<?x3xf32>
        %p = arith.mulf %a, %b : f32
        %q = arith.addf %t, %p : f32
        affine.yield %q : f32
      }
      affine.store %s, %0#2[%i, %r] : memref<?x3xf32>
    }
  }
  return
}
