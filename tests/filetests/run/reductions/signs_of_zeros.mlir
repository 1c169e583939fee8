// A sum of minus zeros is minus zero, and an empty sum is what it starts from.
// test: run --fp=relaxed --arg=zeros --arg=zeros
// expect: arg 1 = [-0.0, 7.0]
func.func @signs(%a: memref<128xf32>, %r: memref<2xf32>) {
  %start = arith.constant -0.0 : f32
  %seven = arith.constant 7.0 : f32
  %sum = affine.for %i = 0 to 128 iter_args(%acc = %start) -> f32 {
    %x = affine.load %a[%i] : memref<128xf32>
    %m = arith.negf %x : f32
    %y = arith.addf %acc, %m : f32
    affine.yield %y : f32
  }
  %c0 = arith.constant 0 : index
  %none = affine.for %i = 0 to %c0 iter_args(%acc = %seven) -> f32 {
    %x = affine.load %a[%i] : memref<128xf32>
    %y = arith.addf %acc, %x : f32
    affine.yield %y : f32
  }
  affine.store %sum, %r[0] : memref<2xf32>
  affine.store %none, %r[1] : memref<2xf32>
  return
}
