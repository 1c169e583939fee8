// test: opt --affine-map-to-gpu=tile=2x2 --canonicalize --cse
// test: run --entry=product --arg=iota --arg=iota --arg=zeros
// test: run-opt --entry=product --arg=iota --arg=iota --arg=zeros
// expect: arg 2 = [2, 3, 6, 11, 10, 19]
// test: run-opt --entry=triangle --arg=random:1
// A thread computes two by two iterations. Rows are three, so that the last tile juts out: its second point is the
// first one again. What a loop carries is carried for each point; a load that does not vary with a row is shared.

func.func @product(%a: memref<3x2xf32>, %b: memref<2x2xf32>, %c: memref<3x2xf32>) {
  %0:3 = memref.distinct_objects %a, %b, %c : memref<3x2xf32>, memref<2x2xf32>, memref<3x2xf32>
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 2 {
      %s = affine.for %k = 0 to 2 iter_args(%acc = %zero) -> (f32) {
        %x = affine.load %0#0[%i, %k] : memref<3x2xf32>
        %y = affine.load %0#1[%k, %j] : memref<2x2xf32>
        %p = arith.mulf %x, %y : f32
        %n = arith.addf %acc, %p : f32
        affine.yield %n : f32
      }
      affine.store %s, %0#2[%i, %j] : memref<3x2xf32>
    }
  }
  return
}

// Columns that depend on the row are no box, which affine-loop-hull makes of them: one iteration a thread.
func.func @triangle(%a: memref<4x4xf32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %x = affine.load %a[%i, %j] : memref<4x4xf32>
      %y = arith.addf %x, %x : f32
      affine.store %y, %a[%i, %j] : memref<4x4xf32>
    }
  }
  return
}
