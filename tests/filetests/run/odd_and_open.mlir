// Products and convolutions of odd sizes, and of sizes that the arguments tell: tiles of 8 by 8 points
// jut out over both ends, and sums over several loops start with what is stored.
// test: run --entry=odd --arg=random:1 --arg=random:1 --arg=random:1
// test: run --entry=open --arg=random:1[9x91] --arg=random:1[9x93] --arg=random:1[91x93]
// test: run --entry=open --arg=random:1[0x11] --arg=random:1[0x13] --arg=random:1[11x13]
// test: run --entry=convolution --arg=random:1[3x13x15] --arg=random:1[5x3x3x2] --arg=random:1[5x11x14]
// test: run --entry=convolution --arg=random:1[3x13x15] --arg=random:1[5x3x0x2] --arg=random:1[5x11x14]
// test: run --entry=transposed --arg=random:1[300x37] --arg=random:1[300] --arg=random:1[37]
// test: run --entry=transposed --arg=random:1[300x37] --arg=random:1[301] --arg=random:1[37]
func.func @odd(%a: memref<91x9xf32>, %b: memref<9x93xf32>, %c: memref<91x93xf32>) {
  affine.for %i = 0 to 91 {
    affine.for %j = 0 to 93 {
      affine.for %k = 0 to 9 {
        %x = affine.load %a[%i, %k] : memref<91x9xf32>
        %y = affine.load %b[%k, %j] : memref<9x93xf32>
        %z = affine.load %c[%i, %j] : memref<91x93xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<91x93xf32>
      }
    }
  }
  return
}

func.func @open(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l = memref.dim %a, %c0 : memref<?x?xf32>
  %m = memref.dim %c, %c0 : memref<?x?xf32>
  %n = memref.dim %c, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      affine.for %k = 0 to %l {
        %x = affine.load %a[%k, %i] : memref<?x?xf32>
        %y = affine.load %b[%k, %j] : memref<?x?xf32>
        %z = affine.load %c[%i, %j] : memref<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @convolution(%x: memref<?x?x?xf32>, %w: memref<?x?x?x?xf32>, %o: memref<?x?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %channels = memref.dim %w, %c1 : memref<?x?x?x?xf32>
  %r = memref.dim %w, %c2 : memref<?x?x?x?xf32>
  %s = memref.dim %w, %c3 : memref<?x?x?x?xf32>
  %f = memref.dim %o, %c0 : memref<?x?x?xf32>
  %m = memref.dim %o, %c1 : memref<?x?x?xf32>
  %n = memref.dim %o, %c2 : memref<?x?x?xf32>
  affine.for %g = 0 to %f {
    affine.for %i = 0 to %m {
      affine.for %j = 0 to %n {
        affine.for %c = 0 to %channels {
          affine.for %p = 0 to %r {
            affine.for %q = 0 to %s {
              %u = affine.load %x[%c, %i + %p, %j + %q] : memref<?x?x?xf32>
              %v = affine.load %w[%g, %c, %p, %q] : memref<?x?x?x?xf32>
              %z = affine.load %o[%g, %i, %j] : memref<?x?x?xf32>
              %t = arith.mulf %u, %v : f32
              %e = arith.addf %z, %t : f32
              affine.store %e, %o[%g, %i, %j] : memref<?x?x?xf32>
            }
          }
        }
      }
    }
  }
  return
}

func.func @transposed(%a: memref<?x?xf32>, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %n = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %j = 0 to %n {
    affine.for %i = 0 to %m {
      %u = affine.load %a[%i, %j] : memref<?x?xf32>
      %v = affine.load %x[%i] : memref<?xf32>
      %z = affine.load %y[%j] : memref<?xf32>
      %p = arith.mulf %u, %v : f32
      %s = arith.addf %z, %p : f32
      affine.store %s, %y[%j] : memref<?xf32>
    }
  }
  return
}
