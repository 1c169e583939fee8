// test: run --entry=floats --arg=iota --arg=zeros
// expect: arg 1 = [1.0, 3.141592653589793, 8.38905609893065, 12.0, 33.5, 0.5] within 1e-6
// test: run --entry=integers --arg=iota --arg=zeros
// expect: arg 1 = [3, 2, 1, 0, 1, 2, 3]

// As front ends of C leave <math.h>: floats in kernels, by what the declarations say.
func.func private @expf(f32) -> f32
func.func private @atan2f(f32, f32) -> f32
func.func private @powf(f32, f32) -> f32
func.func private @fmodf(f32, f32) -> f32
func.func private @sqrtf(f32) -> f32
func.func private @fabsf(f32) -> f32
func.func private @abs(i32) -> i32

// 0: exp(0) = 1. 1: atan2(0, -1) = pi. 2: exp(2) + 1. 3: sqrt(9) * 2^2. 4: 2^5 + fmod(7.5, 2). 5: |fmod(-4.5, 2)|.
func.func @floats(%x: memref<6xf32>, %y: memref<6xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %five = arith.constant 5.0 : f32
  %nine = arith.constant 9.0 : f32
  %minus = arith.constant -1.0 : f32
  %more = arith.constant 7.5 : f32
  %less = arith.constant -4.5 : f32
  affine.for %i = 0 to 6 {
    %v = affine.load %x[%i] : memref<6xf32>
    %is0 = arith.cmpi eq, %i, %c0 : index
    %is1 = arith.cmpi eq, %i, %c1 : index
    %is2 = arith.cmpi eq, %i, %c2 : index
    %is3 = arith.cmpi eq, %i, %c3 : index
    %is4 = arith.cmpi eq, %i, %c4 : index
    %e0 = func.call @expf(%zero) : (f32) -> f32
    %e2 = func.call @expf(%v) : (f32) -> f32
    %e2p = arith.addf %e2, %one : f32
    %pi = func.call @atan2f(%zero, %minus) : (f32, f32) -> f32
    %root = func.call @sqrtf(%nine) : (f32) -> f32
    %square = func.call @powf(%two, %two) : (f32, f32) -> f32
    %twelve = arith.mulf %root, %square : f32
    %high = func.call @powf(%two, %five) : (f32, f32) -> f32
    %rest = func.call @fmodf(%more, %two) : (f32, f32) -> f32
    %sum = arith.addf %high, %rest : f32
    %negative = func.call @fmodf(%less, %two) : (f32, f32) -> f32
    %last = func.call @fabsf(%negative) : (f32) -> f32
    %s4 = arith.select %is4, %sum, %last : f32
    %s3 = arith.select %is3, %twelve, %s4 : f32
    %s2 = arith.select %is2, %e2p, %s3 : f32
    %s1 = arith.select %is1, %pi, %s2 : f32
    %s0 = arith.select %is0, %e0, %s1 : f32
    affine.store %s0, %y[%i] : memref<6xf32>
  }
  return
}

func.func @integers(%x: memref<7xi32>, %y: memref<7xi32>) {
  %three = arith.constant 3 : i32
  affine.for %i = 0 to 7 {
    %v = affine.load %x[%i] : memref<7xi32>
    %w = arith.subi %v, %three : i32
    %a = func.call @abs(%w) : (i32) -> i32
    affine.store %a, %y[%i] : memref<7xi32>
  }
  return
}
