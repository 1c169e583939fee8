// A sequential loop with parallel and reducing loops in its body and statements
// between them: the largest eigenvalue of a matrix by repeated products.
//     repeat 12 times:   y = a x;   norm = sqrt(sum of y[i]²);   x = y / norm
//     for 0 <= i, j < 28

func.func @power_iteration(%a: memref<28x28xf32>, %x: memref<28xf32>, %norm: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %y = memref.alloc() : memref<28xf32>
  affine.for %t = 0 to 12 {
    affine.for %i = 0 to 28 {
      affine.store %zero, %y[%i] : memref<28xf32>
      affine.for %j = 0 to 28 {
        %aij = affine.load %a[%i, %j] : memref<28x28xf32>
        %xj = affine.load %x[%j] : memref<28xf32>
        %yi = affine.load %y[%i] : memref<28xf32>
        %p = arith.mulf %aij, %xj : f32
        %s = arith.addf %yi, %p : f32
        affine.store %s, %y[%i] : memref<28xf32>
      }
    }
    %square = affine.for %i = 0 to 28 iter_args(%partial = %zero) -> (f32) {
      %yi = affine.load %y[%i] : memref<28xf32>
      %p = arith.mulf %yi, %yi : f32
      %s = arith.addf %partial, %p : f32
      affine.yield %s : f32
    }
    %length = math.sqrt %square : f32
    affine.store %length, %norm[] : memref<f32>
    %inverse = arith.divf %one, %length : f32
    affine.for %i = 0 to 28 {
      %yi = affine.load %y[%i] : memref<28xf32>
      %s = arith.mulf %yi, %inverse : f32
      affine.store %s, %x[%i] : memref<28xf32>
    }
  }
  memref.dealloc %y : memref<28xf32>
  return
}
