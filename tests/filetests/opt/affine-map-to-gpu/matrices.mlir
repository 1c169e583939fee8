// A contraction of 16-bit floats by matrix units. Packets of eight elements are copied into workgroup memory; the
// last chunk of the depth, of 8 iterations, ends with zeros. The sums are those of the program as written, in its
// order.
// test: opt --affine-mark-inbounds --affine-map-to-gpu=matrices=true --canonicalize --cse
// test: run-opt --arg=random:1 --arg=random:2 --arg=zeros

func.func @product(%a: memref<16x24xf16>, %b: memref<24x32xf16>, %c: memref<16x32xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 32 {
      %sum = affine.for %k = 0 to 24 iter_args(%acc = %zero) -> f32 {
        %x = affine.load %a[%i, %k] : memref<16x24xf16>
        %y = affine.load %b[%k, %j] : memref<24x32xf16>
        %p = arith.extf %x : f16 to f32
        %q = arith.extf %y : f16 to f32
        %product = arith.mulf %p, %q : f32
        %next = arith.addf %acc, %product : f32
        affine.yield %next : f32
      }
      affine.store %sum, %c[%i, %j] : memref<16x32xf32>
    }
  }
  return
}
