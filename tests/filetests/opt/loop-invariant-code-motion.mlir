// test: opt --loop-invariant-code-motion
// test: run-opt --entry=pure --arg=random:1 --arg=6 --arg=6 --arg=1.5
// test: run-opt --entry=loads --arg=random:1 --arg=random:1

// Out of both loops at once. A loop of unknown length may not run at all, so
// the quotient and the load stay in it.
func.func @pure(%m: memref<8xf32>, %n: index, %d: index, %x: f32) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 8 {
      %y = arith.mulf %x, %x : f32
      %q = arith.divui %n, %d : index
      %h = arith.index_cast %q : index to i32
      %f = arith.sitofp %h : i32 to f32
      %z = arith.addf %y, %f : f32
      affine.store %z, %m[%j] : memref<8xf32>
    }
  }
  return
}

// Nothing is written in the first loop, so its load moves; in the second the
// store might change what is loaded.
func.func @loads(%m: memref<8xf32>, %k: memref<8xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %s = affine.for %i = 0 to 8 iter_args(%acc = %zero) -> f32 {
    %v = affine.load %m[3] : memref<8xf32>
    %t = arith.addf %acc, %v : f32
    affine.yield %t : f32
  }
  affine.for %i = 0 to 8 {
    %v = affine.load %m[3] : memref<8xf32>
    affine.store %v, %k[%i] : memref<8xf32>
  }
  return %s : f32
}
