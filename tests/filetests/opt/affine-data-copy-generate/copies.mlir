// test: opt --affine-data-copy-generate=skip-non-unit-stride-loops
// test: run-opt --entry=tiles --arg=random:1 --arg=random:2
// test: run-opt --entry=strided --arg=random:1 --arg=random:2
// test: run-opt --entry=stencil --arg=random:1 --arg=random:2
// test: run-opt --entry=triangle --arg=random:1
// test: run-opt --entry=open --arg=random:1[10x7] --arg=random:2[10] --arg=10 --arg=7
// test: run-opt --entry=open --arg=random:1[8x2] --arg=random:2[9] --arg=7 --arg=2
// test: run-opt --entry=open --arg=random:1[0x0] --arg=random:2[0] --arg=0 --arg=0
// test: run-opt --entry=mixed --arg=random:1 --arg=random:2 --arg=random:3

// Tiles, of which the last in a row are partial.
func.func @tiles(%a: memref<64x100xf32>, %b: memref<64x100xf32>) {
  affine.for %i = 0 to 64 step 4 {
    affine.for %j = 0 to 100 step 32 {
      affine.for %x = affine_map<(d0) -> (d0)>(%i) to affine_map<(d0) -> (d0 + 4)>(%i) {
        affine.for %y = affine_map<(d0) -> (d0)>(%j) to min affine_map<(d0) -> (d0 + 32, 100)>(%j) {
          %u = affine.load %a[%x, %y] : memref<64x100xf32>
          %v = arith.addf %u, %u : f32
          affine.store %v, %b[%x, %y] : memref<64x100xf32>
        }
      }
    }
  }
  return
}

// Every second element is read, every third is written: what lies between stays as it is.
func.func @strided(%a: memref<64xf32>, %b: memref<64xf32>) {
  affine.for %i = 0 to 16 {
    %u = affine.load %a[%i * 2 + 1] : memref<64xf32>
    affine.store %u, %b[%i * 3 + 2] : memref<64xf32>
  }
  return
}

// A stencil, whose box is wider than the loop; the first and last row are guarded.
func.func @stencil(%a: memref<20x20xf32>, %b: memref<20x20xf32>) {
  affine.for %i = 1 to 19 step 6 {
    affine.for %x = affine_map<(d0) -> (d0)>(%i) to affine_map<(d0) -> (d0 + 6)>(%i) {
      affine.for %j = 1 to 19 {
        %l = affine.load %a[%x, %j - 1] : memref<20x20xf32>
        %r = affine.load %a[%x, %j + 1] : memref<20x20xf32>
        %s = arith.addf %l, %r : f32
        %d = affine.if affine_set<(d0) : (17 - d0 >= 0)>(%x) -> f32 {
          %n = affine.load %a[%x + 2, %j] : memref<20x20xf32>
          affine.yield %n : f32
        } else {
          affine.yield %s : f32
        }
        %t = arith.addf %s, %d : f32
        affine.store %t, %b[%x, %j] : memref<20x20xf32>
      }
    }
  }
  return
}

// Read, changed and written; only the lower triangle is touched.
func.func @triangle(%a: memref<8x8x3xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      affine.for %k = 0 to 2 {
        %x = affine.load %a[%i, %j, %k] : memref<8x8x3xf32>
        %y = affine.load %a[%j, %i, %k + 1] : memref<8x8x3xf32>
        %z = arith.addf %x, %y : f32
        affine.store %z, %a[%i, %j, %k] : memref<8x8x3xf32>
      }
    }
  }
  return
}

// Sizes that are not known: the boxes of tiles end where the memref does.
func.func @open(%a: memref<?x?xf32>, %b: memref<?xf32>, %n: index, %m: index) {
  affine.for %i = 0 to %n step 4 {
    affine.for %x = affine_map<(d0) -> (d0)>(%i) to min affine_map<(d0)[s0] -> (d0 + 4, s0)>(%i)[%n] {
      affine.for %j = 0 to min affine_map<()[s0] -> (s0, 6)>()[%m] {
        %u = affine.load %a[%x, %j] : memref<?x?xf32>
        %v = affine.load %b[%x] : memref<?xf32>
        %w = arith.addf %u, %v : f32
        affine.store %w, %b[%x] : memref<?xf32>
      }
    }
  }
  return
}

// Vectors, quotients, a memref without dimensions.
func.func @mixed(%a: memref<8x16xf32>, %b: memref<16x8xf32>, %s: memref<f32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 12 step 4 {
      %v = affine.vector_load %a[%i, %j + 2] : memref<8x16xf32>, vector<4xf32>
      affine.vector_store %v, %b[%i + %j floordiv 4, %i floordiv 2] : memref<16x8xf32>, vector<4xf32>
      %x = affine.load %s[] : memref<f32>
      %y = vector.reduction <add>, %v, %x : vector<4xf32> into f32
      affine.store %y, %s[] : memref<f32>
    }
  }
  return
}
