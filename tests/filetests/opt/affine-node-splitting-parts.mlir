// test: opt --affine-node-splitting
// test: run-opt --entry=left_in_small_parts --arg=random:1
// test: run-opt --entry=before_all_parts --arg=random:2[1000]
// test: run-opt --entry=of_parts_with_ends --arg=random:3

// The loop that a copy would free has five iterations at most, and the copy would go to the end of the memref for each
// part.
func.func @left_in_small_parts(%l: memref<3600xf32>) {
  affine.for %b = 0 to 100 {
    affine.for %j = 0 to 6 {
      affine.for %i = affine_map<(d0) -> (d0 + 1)>(%j) to 6 {
        %x = affine.load %l[%b * 36 + %i * 6 + %j] : memref<3600xf32>
        %s = affine.for %k = 0 to affine_map<(d0) -> (d0)>(%j) iter_args(%sum = %x) -> f32 {
          %p = affine.load %l[%b * 36 + %i * 6 + %k] : memref<3600xf32>
          %q = affine.load %l[%b * 36 + %j * 6 + %k] : memref<3600xf32>
          %m = arith.mulf %p, %q : f32
          %d = arith.subf %sum, %m : f32
          affine.yield %d : f32
        }
        affine.store %s, %l[%b * 36 + %i * 6 + %j] : memref<3600xf32>
      }
    }
  }
  return
}

// Nothing says that parts stay apart: one copy stands in front of all of them.
func.func @before_all_parts(%a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c200 = arith.constant 200 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %parts = arith.divsi %n, %c200 : index
  affine.for %b = 0 to %parts {
    affine.for %i = 0 to 100 {
      %v = affine.load %a[%b * 200 + (%i * 3) mod 100 + %i + 1] : memref<?xf32>
      affine.store %v, %a[%b * 200 + %i] : memref<?xf32>
    }
  }
  return
}

// Rows are parts whose ends are known, and too few for the threads of a device.
func.func @of_parts_with_ends(%a: memref<3x200xf32>) {
  affine.for %b = 0 to 3 {
    affine.for %i = 0 to 199 {
      %v = affine.load %a[%b, %i + 1] : memref<3x200xf32>
      %w = arith.addf %v, %v : f32
      affine.store %w, %a[%b, %i] : memref<3x200xf32>
    }
  }
  return
}
