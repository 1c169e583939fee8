// test: explain --schedule

// The second and the third nest become a part of the first one.
func.func @layer(%x: memref<64x64xf32>, %b: memref<64xf32>, %y: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %t = memref.alloc() : memref<64x64xf32>
  %u = memref.alloc() : memref<64x64xf32>
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %a = affine.load %x[%i, %j] : memref<64x64xf32>
      %c = affine.load %b[%j] : memref<64xf32>
      %s = arith.addf %a, %c : f32
      affine.store %s, %t[%i, %j] : memref<64x64xf32>
    }
  }
  affine.for %k = 0 to 64 {
    affine.for %l = 0 to 64 {
      %a = affine.load %t[%k, %l] : memref<64x64xf32>
      %m = arith.maximumf %a, %zero : f32
      affine.store %m, %u[%k, %l] : memref<64x64xf32>
    }
  }
  affine.for %p = 0 to 64 {
    affine.for %q = 0 to 64 {
      %a = affine.load %u[%p, %q] : memref<64x64xf32>
      %m = arith.mulf %a, %half : f32
      affine.store %m, %y[%p, %q] : memref<64x64xf32>
    }
  }
  memref.dealloc %t : memref<64x64xf32>
  memref.dealloc %u : memref<64x64xf32>
  return
}
