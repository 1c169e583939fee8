// Transposed convolutions of stride 2 in scatter form, of a row and of images with channels.
// test: run --entry=row --arg=ones --arg=iota --arg=zeros
// expect: result 0 = 0.0
// expect: result 1 = 1.0
// expect: result 2 = 2.0
// expect: result 3 = 4.0
// expect: result 4 = 2.0
// expect: result 5 = 3.0
// test: run --entry=images --arg=ones --arg=ones --arg=zeros
// expect: result 0 = 4.0
// expect: result 1 = 8.0
// expect: result 2 = 16.0
// expect: result 3 = 4.0

// Two taps of [0, 1, 2, 3] reach an element, but one at the ends.
func.func @row(%x: memref<3000xf32>, %w: memref<4xf32>, %y: memref<6002xf32>) -> (f32, f32, f32, f32, f32, f32) {
  affine.for %i = 0 to 3000 {
    affine.for %k = 0 to 4 {
      %u = affine.load %x[%i] : memref<3000xf32>
      %v = affine.load %w[%k] : memref<4xf32>
      %p = arith.mulf %u, %v : f32
      %s = affine.load %y[%i * 2 + %k] : memref<6002xf32>
      %t = arith.addf %s, %p : f32
      affine.store %t, %y[%i * 2 + %k] : memref<6002xf32>
    }
  }
  %a = affine.load %y[0] : memref<6002xf32>
  %b = affine.load %y[1] : memref<6002xf32>
  %c = affine.load %y[2] : memref<6002xf32>
  %d = affine.load %y[5999] : memref<6002xf32>
  %e = affine.load %y[6000] : memref<6002xf32>
  %f = affine.load %y[6001] : memref<6002xf32>
  return %a, %b, %c, %d, %e, %f : f32, f32, f32, f32, f32, f32
}

// Four channels of ones: even rows and columns inside get two taps of three in each direction, odd ones get one.
func.func @images(%x: memref<2x4x9x8xf32>, %w: memref<4x3x3x3xf32>, %y: memref<2x3x19x17xf32>) -> (f32, f32, f32, f32) {
  affine.for %n = 0 to 2 {
    affine.for %ci = 0 to 4 {
      affine.for %co = 0 to 3 {
        affine.for %i = 0 to 9 {
          affine.for %j = 0 to 8 {
            affine.for %p = 0 to 3 {
              affine.for %q = 0 to 3 {
                %u = affine.load %x[%n, %ci, %i, %j] : memref<2x4x9x8xf32>
                %v = affine.load %w[%ci, %co, %p, %q] : memref<4x3x3x3xf32>
                %m = arith.mulf %u, %v : f32
                %s = affine.load %y[%n, %co, %i * 2 + %p, %j * 2 + %q] : memref<2x3x19x17xf32>
                %t = arith.addf %s, %m : f32
                affine.store %t, %y[%n, %co, %i * 2 + %p, %j * 2 + %q] : memref<2x3x19x17xf32>
              }
            }
          }
        }
      }
    }
  }
  %a = affine.load %y[0, 0, 0, 0] : memref<2x3x19x17xf32>
  %b = affine.load %y[1, 2, 4, 3] : memref<2x3x19x17xf32>
  %c = affine.load %y[1, 2, 16, 14] : memref<2x3x19x17xf32>
  %d = affine.load %y[1, 2, 18, 16] : memref<2x3x19x17xf32>
  return %a, %b, %c, %d : f32, f32, f32, f32
}
