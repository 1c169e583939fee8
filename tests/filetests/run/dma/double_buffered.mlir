// Loops that start the transfer of their next tile before they compute, as one writes them by hand: the tiles are
// independent, so that each nest is one kernel.
// test: run --entry=scaled --arg=iota --arg=zeros
// test: run --entry=product --arg=random:1 --arg=random:2 --arg=zeros

func.func @scaled(%x: memref<512xf32>, %y: memref<512xf32>) {
  %n = arith.constant 32 : index
  %two = arith.constant 2.0 : f32
  %buffer = memref.alloc() : memref<2x32xf32, 3>
  %tag = memref.alloc() : memref<2xi32>
  affine.dma_start %x[0], %buffer[0, 0], %tag[0], %n : memref<512xf32>, memref<2x32xf32, 3>, memref<2xi32>
  affine.for %i = 0 to 16 {
    affine.if affine_set<(d0) : (14 - d0 >= 0)>(%i) {
      affine.dma_start %x[(%i + 1) * 32], %buffer[(%i + 1) mod 2, 0], %tag[(%i + 1) mod 2], %n : memref<512xf32>, memref<2x32xf32, 3>, memref<2xi32>
    }
    affine.dma_wait %tag[%i mod 2], %n : memref<2xi32>
    affine.for %j = 0 to 32 {
      %v = affine.load %buffer[%i mod 2, %j] : memref<2x32xf32, 3>
      %w = arith.mulf %v, %two : f32
      affine.store %w, %y[%i * 32 + %j] : memref<512xf32>
    }
  }
  memref.dealloc %tag : memref<2xi32>
  memref.dealloc %buffer : memref<2x32xf32, 3>
  return
}

// A product of matrices, whose inner dimension goes through two pairs of tiles.
func.func @product(%a: memref<48x64xf32>, %b: memref<64x32xf32>, %c: memref<48x32xf32>) {
  %n = arith.constant 256 : index
  %row_of_a = arith.constant 64 : index
  %row_of_b = arith.constant 32 : index
  %w = arith.constant 16 : index
  affine.for %i = 0 to 48 step 16 {
    affine.for %j = 0 to 32 step 16 {
      %ta = memref.alloc() : memref<2x16x16xf32, 3>
      %tb = memref.alloc() : memref<2x16x16xf32, 3>
      %tag = memref.alloc() : memref<2x2xi32>
      affine.dma_start %a[%i, 0], %ta[0, 0, 0], %tag[0, 0], %n, %row_of_a, %w : memref<48x64xf32>, memref<2x16x16xf32, 3>, memref<2x2xi32>
      affine.dma_start %b[0, %j], %tb[0, 0, 0], %tag[1, 0], %n, %row_of_b, %w : memref<64x32xf32>, memref<2x16x16xf32, 3>, memref<2x2xi32>
      affine.for %k = 0 to 4 {
        affine.if affine_set<(d0) : (2 - d0 >= 0)>(%k) {
          affine.dma_start %a[%i, (%k + 1) * 16], %ta[(%k + 1) mod 2, 0, 0], %tag[0, (%k + 1) mod 2], %n, %row_of_a, %w : memref<48x64xf32>, memref<2x16x16xf32, 3>, memref<2x2xi32>
          affine.dma_start %b[(%k + 1) * 16, %j], %tb[(%k + 1) mod 2, 0, 0], %tag[1, (%k + 1) mod 2], %n, %row_of_b, %w : memref<64x32xf32>, memref<2x16x16xf32, 3>, memref<2x2xi32>
        }
        affine.dma_wait %tag[0, %k mod 2], %n : memref<2x2xi32>
        affine.dma_wait %tag[1, %k mod 2], %n : memref<2x2xi32>
        affine.for %ii = 0 to 16 {
          affine.for %jj = 0 to 16 {
            affine.for %kk = 0 to 16 {
              %x = affine.load %ta[%k mod 2, %ii, %kk] : memref<2x16x16xf32, 3>
              %y = affine.load %tb[%k mod 2, %kk, %jj] : memref<2x16x16xf32, 3>
              %z = affine.load %c[%i + %ii, %j + %jj] : memref<48x32xf32>
              %p = arith.mulf %x, %y : f32
              %q = arith.addf %z, %p : f32
              affine.store %q, %c[%i + %ii, %j + %jj] : memref<48x32xf32>
            }
          }
        }
      }
      memref.dealloc %tag : memref<2x2xi32>
      memref.dealloc %tb : memref<2x16x16xf32, 3>
      memref.dealloc %ta : memref<2x16x16xf32, 3>
    }
  }
  return
}
