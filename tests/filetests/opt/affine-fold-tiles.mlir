// Subviews that a loop makes are folded; one that is made once, and views of other kinds, stay.
// test: opt --affine-fold-tiles
// test: run-opt --entry=tiles --arg=iota --arg=zeros
// expect: arg 1 = [0, 3, 1, 4, 2, 5]
// test: run-opt --entry=others --arg=iota --arg=zeros
// expect: arg 1 = [2, 3, 4, 5]

func.func @tiles(%a: memref<2x3xi32>, %r: memref<3x2xi32>) {
  affine.for %i = 0 to 2 {
    %row = memref.subview %a[%i, 0] [1, 3] [1, 1] : memref<2x3xi32> to memref<3xi32, strided<[1], offset: ?>>
    affine.for %j = 0 to 3 {
      %v = affine.load %row[%j] : memref<3xi32, strided<[1], offset: ?>>
      affine.store %v, %r[%j, %i] : memref<3x2xi32>
    }
  }
  return
}

func.func @others(%a: memref<2x3xi32>, %r: memref<4xi32>) {
  %flat = memref.collapse_shape %a [[0, 1]] : memref<2x3xi32> into memref<6xi32>
  %end = memref.subview %flat[2] [4] [1] : memref<6xi32> to memref<4xi32, strided<[1], offset: 2>>
  affine.for %i = 0 to 4 {
    %v = affine.load %end[%i] : memref<4xi32, strided<[1], offset: 2>>
    affine.store %v, %r[%i] : memref<4xi32>
  }
  return
}
