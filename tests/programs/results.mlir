// What a function returns: two numbers and an array it has allocated.
//     dot = sum of x[i] * y[i];   positive = how many x[i] > 0;   scaled[i] = 2 * x[i]
//     for 0 <= i < 44

func.func @results(%x: memref<44xf32>, %y: memref<44xf32>) -> (f32, i32, memref<44xf32>) {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i32
  %scaled = memref.alloc() : memref<44xf32>
  %dot, %positive = affine.for %i = 0 to 44 iter_args(%d = %zero, %n = %none) -> (f32, i32) {
    %xi = affine.load %x[%i] : memref<44xf32>
    %yi = affine.load %y[%i] : memref<44xf32>
    %p = arith.mulf %xi, %yi : f32
    %d1 = arith.addf %d, %p : f32
    %up = arith.cmpf ogt, %xi, %zero : f32
    %one = arith.extui %up : i1 to i32
    %n1 = arith.addi %n, %one : i32
    affine.yield %d1, %n1 : f32, i32
  }
  affine.for %i = 0 to 44 {
    %xi = affine.load %x[%i] : memref<44xf32>
    %twice = arith.addf %xi, %xi : f32
    affine.store %twice, %scaled[%i] : memref<44xf32>
  }
  return %dot, %positive, %scaled : f32, i32, memref<44xf32>
}
