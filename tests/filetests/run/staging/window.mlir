// Nests around the product: a batch, a convolution whose staged loop lies in loops over the
// window, loads of one box that differ by a constant, and a loop around the staged one that decides
// how long that is.
// test: run --map-for=gpu --entry=batch
// test: run --map-for=gpu --entry=convolution
// test: run --map-for=gpu --entry=neighbours
// test: run --map-for=gpu --entry=growing
func.func @batch(%a: memref<3x40x36xf32>, %b: memref<3x44x36xf32>, %c: memref<3x40x44xf32>) {
  affine.for %n = 0 to 3 {
    affine.for %i = 0 to 40 {
      affine.for %j = 0 to 44 {
        affine.for %k = 0 to 36 {
          %x = affine.load %a[%n, %i, %k] : memref<3x40x36xf32>
          %y = affine.load %b[%n, %j, %k] : memref<3x44x36xf32>
          %z = affine.load %c[%n, %i, %j] : memref<3x40x44xf32>
          %p = arith.mulf %x, %y : f32
          %s = arith.addf %z, %p : f32
          affine.store %s, %c[%n, %i, %j] : memref<3x40x44xf32>
        }
      }
    }
  }
  return
}
func.func @convolution(%image: memref<9x34x35xf32>, %filter: memref<3x3x35x33xf32>,
                       %out: memref<7x32x33xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %h = 0 to 7 {
    affine.for %w = 0 to 32 {
      affine.for %f = 0 to 33 {
        affine.store %zero, %out[%h, %w, %f] : memref<7x32x33xf32>
        affine.for %r = 0 to 3 {
          affine.for %s = 0 to 3 {
            affine.for %c = 0 to 35 {
              %x = affine.load %image[%h + %r, %w + %s, %c] : memref<9x34x35xf32>
              %y = affine.load %filter[%r, %s, %c, %f] : memref<3x3x35x33xf32>
              %z = affine.load %out[%h, %w, %f] : memref<7x32x33xf32>
              %p = arith.mulf %x, %y : f32
              %t = arith.addf %z, %p : f32
              affine.store %t, %out[%h, %w, %f] : memref<7x32x33xf32>
            }
          }
        }
      }
    }
  }
  return
}
func.func @neighbours(%a: memref<42x40xf32>, %b: memref<40x40xf32>, %c: memref<40x40xf32>) {
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 40 {
      affine.for %k = 0 to 40 {
        %x = affine.load %a[%i, %k] : memref<42x40xf32>
        %v = affine.load %a[%i + 1, %k] : memref<42x40xf32>
        %w = affine.load %a[%i + 2, %k] : memref<42x40xf32>
        %y = affine.load %b[%k, %j] : memref<40x40xf32>
        %z = affine.load %c[%i, %j] : memref<40x40xf32>
        %u = arith.addf %x, %v : f32
        %q = arith.addf %u, %w : f32
        %p = arith.mulf %q, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<40x40xf32>
      }
    }
  }
  return
}
func.func @growing(%a: memref<40x40xf32>, %b: memref<40x40xf32>, %c: memref<40x40xf32>) {
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 40 {
      affine.for %l = 0 to 40 {
        affine.for %k = 0 to affine_map<(d0) -> (d0)>(%l) {
          %x = affine.load %a[%i, %k] : memref<40x40xf32>
          %y = affine.load %b[%k, %j] : memref<40x40xf32>
          %z = affine.load %c[%i, %j] : memref<40x40xf32>
          %p = arith.mulf %x, %y : f32
          %s = arith.addf %z, %p : f32
          affine.store %s, %c[%i, %j] : memref<40x40xf32>
        }
      }
    }
  }
  return
}
