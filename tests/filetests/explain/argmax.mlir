// test: explain

// Reductions by argmax in values and in memory, and by argmin; a loop that looks at the best so far is none.
func.func @main(%a: memref<1000xf32>, %at: memref<3xi32>, %best: memref<f32>, %sum: memref<f32>) {
  %least = arith.constant 0xFF800000 : f32
  %none = arith.constant -1 : i32
  %r:2 = affine.for %i = 0 to 1000 iter_args(%m = %least, %p = %none) -> (f32, i32) {
    %x = affine.load %a[%i] : memref<1000xf32>
    %c = arith.cmpf ogt, %x, %m : f32
    %w = arith.index_cast %i : index to i32
    %y = arith.select %c, %x, %m : f32
    %q = arith.select %c, %w, %p : i32
    affine.yield %y, %q : f32, i32
  }
  affine.store %r#1, %at[0] : memref<3xi32>
  affine.for %j = 0 to 1000 {
    %x = affine.load %a[%j] : memref<1000xf32>
    %m = affine.load %best[] : memref<f32>
    %c = arith.cmpf olt, %x, %m : f32
    scf.if %c {
      affine.store %x, %best[] : memref<f32>
      %w = arith.index_cast %j : index to i32
      affine.store %w, %at[1] : memref<3xi32>
    }
  }
  %zero = arith.constant 0.0 : f32
  %s:2 = affine.for %k = 0 to 1000 iter_args(%m = %least, %t = %zero) -> (f32, f32) {
    %x = affine.load %a[%k] : memref<1000xf32>
    %c = arith.cmpf ogt, %x, %m : f32
    %y = arith.select %c, %x, %m : f32
    %u = arith.addf %t, %m : f32
    affine.yield %y, %u : f32, f32
  }
  affine.store %s#1, %sum[] : memref<f32>
  return
}
