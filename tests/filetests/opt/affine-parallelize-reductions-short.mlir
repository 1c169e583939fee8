// test: opt --affine-parallelize-reductions
// test: run-opt --entry=short --arg=random:1 --arg=random:1 --arg=random:1

// At most 40 iterations, whatever the counter outside: launches would cost more than they gain.
func.func @short(%a: memref<40xf32>, %b: memref<40xf32>, %c: memref<40xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 40 {
    %s = affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%acc = %zero) -> f32 {
      %x = affine.load %a[%j] : memref<40xf32>
      %t = arith.addf %acc, %x : f32
      affine.yield %t : f32
    }
    affine.store %s, %b[0] : memref<40xf32>
    affine.for %j = 0 to 40 {
      %x = affine.load %b[0] : memref<40xf32>
      affine.store %x, %c[%j] : memref<40xf32>
    }
  }
  return
}
