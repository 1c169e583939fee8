// test: opt "--affine-parallelize-scans=target=cpu fp=strict"
// test: run-opt --entry=left_in_order --arg=random:1 --arg=zeros

// Floats are not regrouped.
func.func @left_in_order(%a: memref<9001xf32>, %b: memref<9001xf32>) {
  %x, %y = memref.distinct_objects %a, %b : memref<9001xf32>, memref<9001xf32>
  %zero = arith.constant 0.0 : f32
  %factor = arith.constant 0.75 : f32
  affine.for %i = 0 to 9001 iter_args(%s = %zero) -> f32 {
    %v = affine.load %x[%i] : memref<9001xf32>
    %p = arith.mulf %s, %factor : f32
    %n = arith.addf %p, %v : f32
    affine.store %n, %y[%i] : memref<9001xf32>
    affine.yield %n : f32
  }
  affine.for %i = 0 to 9001 iter_args(%s = %zero) -> f32 {
    %v = affine.load %x[%i] : memref<9001xf32>
    %p = arith.addf %s, %v : f32
    %n = arith.maximumf %p, %zero : f32
    affine.store %n, %y[%i] : memref<9001xf32>
    affine.yield %n : f32
  }
  return
}
