// Attention of 8 heads over 512 positions of 64 elements: softmax(Q K^T / 8) V.
func.func @attention(%q: memref<8x512x64xf32>, %k: memref<8x512x64xf32>, %v: memref<8x512x64xf32>, %o: memref<8x512x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32
  %s = memref.alloc() : memref<8x512x512xf32>
  affine.for %h = 0 to 8 {
    affine.for %i = 0 to 512 {
      affine.for %j = 0 to 512 {
        %sum = affine.for %d = 0 to 64 iter_args(%acc = %zero) -> (f32) {
          %x = affine.load %q[%h, %i, %d] : memref<8x512x64xf32>
          %y = affine.load %k[%h, %j, %d] : memref<8x512x64xf32>
          %p = arith.mulf %x, %y : f32
          %n = arith.addf %acc, %p : f32
          affine.yield %n : f32
        }
        %scaled = arith.mulf %sum, %scale : f32
        affine.store %scaled, %s[%h, %i, %j] : memref<8x512x512xf32>
      }
    }
  }
  affine.for %h = 0 to 8 {
    affine.for %i = 0 to 512 {
      %max = affine.for %j = 0 to 512 iter_args(%m = %low) -> (f32) {
        %x = affine.load %s[%h, %i, %j] : memref<8x512x512xf32>
        %n = arith.maximumf %m, %x : f32
        affine.yield %n : f32
      }
      %sum = affine.for %j = 0 to 512 iter_args(%acc = %zero) -> (f32) {
        %x = affine.load %s[%h, %i, %j] : memref<8x512x512xf32>
        %d = arith.subf %x, %max : f32
        %e = math.exp %d : f32
        affine.store %e, %s[%h, %i, %j] : memref<8x512x512xf32>
        %n = arith.addf %acc, %e : f32
        affine.yield %n : f32
      }
      affine.for %j = 0 to 512 {
        %e = affine.load %s[%h, %i, %j] : memref<8x512x512xf32>
        %w = arith.divf %e, %sum : f32
        affine.store %w, %s[%h, %i, %j] : memref<8x512x512xf32>
      }
    }
  }
  affine.for %h = 0 to 8 {
    affine.for %i = 0 to 512 {
      affine.for %d = 0 to 64 {
        %sum = affine.for %j = 0 to 512 iter_args(%acc = %zero) -> (f32) {
          %w = affine.load %s[%h, %i, %j] : memref<8x512x512xf32>
          %y = affine.load %v[%h, %j, %d] : memref<8x512x64xf32>
          %p = arith.mulf %w, %y : f32
          %n = arith.addf %acc, %p : f32
          affine.yield %n : f32
        }
        affine.store %sum, %o[%h, %i, %d] : memref<8x512x64xf32>
      }
    }
  }
  memref.dealloc %s : memref<8x512x512xf32>
  return
}
