// test: run --arg=zeros --arg=zeros --arg=zeros
// expect: arg 1 = [143, 195, 178, 84]
// expect: arg 2 = [3549]

// Assignment of k-means: 600 points, the nearest of 4 centres each, the first of equal ones. Then how many each has, and
// the sum of the centres' numbers, weighted by the last digit of the point's.
func.func @main(%labels: memref<600xi32>, %counts: memref<4xi32>, %check: memref<1xi32>) {
  %c = memref.alloc() : memref<4x2xf32>
  %p = memref.alloc() : memref<600x2xf32>
  %3 = arith.constant 3.0 : f32
  %4 = arith.constant 4.0 : f32
  %10 = arith.constant 10.0 : f32
  %15 = arith.constant 15.0 : f32
  %16 = arith.constant 16.0 : f32
  %18 = arith.constant 18.0 : f32
  affine.store %3, %c[0, 0] : memref<4x2xf32>
  affine.store %3, %c[0, 1] : memref<4x2xf32>
  affine.store %18, %c[1, 0] : memref<4x2xf32>
  affine.store %4, %c[1, 1] : memref<4x2xf32>
  affine.store %10, %c[2, 0] : memref<4x2xf32>
  affine.store %15, %c[2, 1] : memref<4x2xf32>
  affine.store %3, %c[3, 0] : memref<4x2xf32>
  affine.store %16, %c[3, 1] : memref<4x2xf32>
  affine.for %i = 0 to 600 {
    %xi = affine.apply affine_map<(d0) -> ((d0 * 7) mod 23)>(%i)
    %yi = affine.apply affine_map<(d0) -> ((d0 * 5) mod 19)>(%i)
    %xw = arith.index_cast %xi : index to i32
    %yw = arith.index_cast %yi : index to i32
    %x = arith.sitofp %xw : i32 to f32
    %y = arith.sitofp %yw : i32 to f32
    affine.store %x, %p[%i, 0] : memref<600x2xf32>
    affine.store %y, %p[%i, 1] : memref<600x2xf32>
  }
  %far = arith.constant 0x7F800000 : f32
  %none = arith.constant -1 : i32
  affine.for %i = 0 to 600 {
    %nearest:2 = affine.for %k = 0 to 4 iter_args(%m = %far, %at = %none) -> (f32, i32) {
      %x = affine.load %p[%i, 0] : memref<600x2xf32>
      %y = affine.load %p[%i, 1] : memref<600x2xf32>
      %cx = affine.load %c[%k, 0] : memref<4x2xf32>
      %cy = affine.load %c[%k, 1] : memref<4x2xf32>
      %dx = arith.subf %x, %cx : f32
      %dy = arith.subf %y, %cy : f32
      %dx2 = arith.mulf %dx, %dx : f32
      %dy2 = arith.mulf %dy, %dy : f32
      %d = arith.addf %dx2, %dy2 : f32
      %is = arith.cmpf olt, %d, %m : f32
      %r:2 = scf.if %is -> (f32, i32) {
        %w = arith.index_cast %k : index to i32
        scf.yield %d, %w : f32, i32
      } else {
        scf.yield %m, %at : f32, i32
      }
      affine.yield %r#0, %r#1 : f32, i32
    }
    affine.store %nearest#1, %labels[%i] : memref<600xi32>
  }
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 600 {
    %label = affine.load %labels[%i] : memref<600xi32>
    %at = arith.index_cast %label : i32 to index
    %before = memref.load %counts[%at] : memref<4xi32>
    %more = arith.addi %before, %one : i32
    memref.store %more, %counts[%at] : memref<4xi32>
  }
  %sum = affine.for %i = 0 to 600 iter_args(%s = %zero) -> i32 {
    %label = affine.load %labels[%i] : memref<600xi32>
    %digit = affine.apply affine_map<(d0) -> (d0 mod 10)>(%i)
    %weight = arith.index_cast %digit : index to i32
    %product = arith.muli %label, %weight : i32
    %next = arith.addi %s, %product : i32
    affine.yield %next : i32
  }
  affine.store %sum, %check[0] : memref<1xi32>
  memref.dealloc %c : memref<4x2xf32>
  memref.dealloc %p : memref<600x2xf32>
  return
}
