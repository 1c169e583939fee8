// Contractions by matrix units whose sides are multiples of nothing, so that elements are copied by themselves and
// only sums that there are are stored.
// test: opt --affine-mark-inbounds --affine-map-to-gpu=matrices=true --canonicalize --cse
// test: run-opt --entry=batch --arg=random:1 --arg=random:2 --arg=zeros
// test: run-opt --entry=scaled --arg=random:1 --arg=random:2 --arg=iota

// Both factors transposed, one product for each of three.
func.func @batch(%a: memref<3x27x29xf16>, %b: memref<3x21x27xf16>, %c: memref<3x29x21xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %n = 0 to 3 {
    affine.for %i = 0 to 29 {
      affine.for %j = 0 to 21 {
        %sum = affine.for %k = 0 to 27 iter_args(%acc = %zero) -> f32 {
          %x = affine.load %a[%n, %k, %i] : memref<3x27x29xf16>
          %y = affine.load %b[%n, %j, %k] : memref<3x21x27xf16>
          %p = arith.extf %x : f16 to f32
          %q = arith.extf %y : f16 to f32
          %product = arith.mulf %p, %q : f32
          %next = arith.addf %product, %acc : f32
          affine.yield %next : f32
        }
        affine.store %sum, %c[%n, %i, %j] : memref<3x29x21xf32>
      }
    }
  }
  return
}

// Every second row of one factor from row 1 on, columns of the other one from 3 on, stored transposed; and what an
// iteration does besides.
func.func @scaled(%a: memref<64x16xf16>, %b: memref<16x40xf16>, %c: memref<32x30xf32>) {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  affine.for %i = 0 to 30 {
    affine.for %j = 0 to 32 {
      %old = affine.load %c[%j, %i] : memref<32x30xf32>
      %sum = affine.for %k = 0 to 16 iter_args(%acc = %zero) -> f32 {
        %x = affine.load %a[%i * 2 + 1, %k] : memref<64x16xf16>
        %y = affine.load %b[%k, %j + 3] : memref<16x40xf16>
        %p = arith.extf %x : f16 to f32
        %q = arith.extf %y : f16 to f32
        %product = arith.mulf %p, %q : f32
        %next = arith.addf %acc, %product : f32
        affine.yield %next : f32
      }
      %less = arith.mulf %old, %half : f32
      %new = arith.addf %sum, %less : f32
      affine.store %new, %c[%j, %i] : memref<32x30xf32>
    }
  }
  return
}
