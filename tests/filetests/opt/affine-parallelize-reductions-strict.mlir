// test: opt --affine-parallelize-reductions=fp=strict
// test: run-opt --entry=sum --arg=random:1
// test: run-opt --entry=free_sum --arg=iota
// test: run-opt --entry=greatest --arg=random:1 --arg=1.5

// A sum of floats keeps its order, unless its operation permits another one.
func.func @sum(%a: memref<256xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %strict = affine.for %i = 0 to 256 iter_args(%acc = %zero) -> f32 {
    %x = affine.load %a[%i] : memref<256xf32>
    %y = arith.addf %acc, %x : f32
    affine.yield %y : f32
  }
  return %strict : f32
}
func.func @free_sum(%a: memref<256xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %free = affine.for %i = 0 to 256 iter_args(%acc = %zero) -> f32 {
    %x = affine.load %a[%i] : memref<256xf32>
    %y = arith.addf %acc, %x fastmath<reassoc> : f32
    affine.yield %y : f32
  }
  return %free : f32
}

// The greatest number is the same in any order, NaN and zeros included.
func.func @greatest(%a: memref<256xf32>, %z: f32) -> (f32, f32) {
  %r:2 = affine.for %i = 0 to 256 iter_args(%acc = %z, %num = %z) -> (f32, f32) {
    %x = affine.load %a[%i] : memref<256xf32>
    %y = arith.maximumf %acc, %x : f32
    %n = arith.minnumf %num, %x : f32
    affine.yield %y, %n : f32, f32
  }
  return %r#0, %r#1 : f32, f32
}
