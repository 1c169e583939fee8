// Products of 32-bit floats summed in 64 bits, and the sum rounded back.
//     dot[i] = sum over j of a[i, j] * b[j], in f64;   rounded[i] = dot[i] as f32
//     for 0 <= i < 18, 0 <= j < 65

func.func @mixed_precision(%a: memref<18x65xf32>, %b: memref<65xf32>, %dot: memref<18xf64>, %rounded: memref<18xf32>) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to 18 {
    %sum = affine.for %j = 0 to 65 iter_args(%partial = %zero) -> (f64) {
      %x = affine.load %a[%i, %j] : memref<18x65xf32>
      %y = affine.load %b[%j] : memref<65xf32>
      %x64 = arith.extf %x : f32 to f64
      %y64 = arith.extf %y : f32 to f64
      %product = arith.mulf %x64, %y64 : f64
      %next = arith.addf %partial, %product : f64
      affine.yield %next : f64
    }
    affine.store %sum, %dot[%i] : memref<18xf64>
    %near = arith.truncf %sum : f64 to f32
    affine.store %near, %rounded[%i] : memref<18xf32>
  }
  return
}
