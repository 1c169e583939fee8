// Subviews and reinterpreting casts that a loop makes are folded; one that is made once, and views of other kinds, stay.
// test: opt --affine-fold-tiles
// test: run-opt --entry=tiles --arg=iota --arg=zeros
// expect: arg 1 = [0, 3, 1, 4, 2, 5]
// test: run-opt --entry=others --arg=iota --arg=zeros
// expect: arg 1 = [2, 3, 4, 5]
// test: run-opt --entry=casts --arg=iota --arg=zeros
// expect: arg 1 = [0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15]
// test: run-opt --entry=left_reaching_beyond --arg=iota --arg=zeros
// expect: arg 1 = [0, 1, 2, 3, 4, 5, 6, 7]

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

// Tiles of a matrix by the numbers of their elements, all of which lie in it.
func.func @casts(%a: memref<4x4xi32>, %r: memref<16xi32>) {
  affine.for %i = 0 to 4 step 2 {
    affine.for %j = 0 to 4 step 2 {
      %first = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%i, %j)
      %tile = memref.reinterpret_cast %a to offset: [%first], sizes: [2, 2], strides: [4, 1] : memref<4x4xi32> to memref<2x2xi32, strided<[4, 1], offset: ?>>
      %to = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1 * 2)>(%i, %j)
      %part = memref.reinterpret_cast %r to offset: [%to], sizes: [4], strides: [1] : memref<16xi32> to memref<4xi32, strided<[1], offset: ?>>
      affine.for %k = 0 to 2 {
        affine.for %l = 0 to 2 {
          %v = affine.load %tile[%k, %l] : memref<2x2xi32, strided<[4, 1], offset: ?>>
          affine.store %v, %part[%k * 2 + %l] : memref<4xi32, strided<[1], offset: ?>>
        }
      }
    }
  }
  return
}

// The casts of the last iteration reach beyond the memory, of which the accesses use what lies in it.
func.func @left_reaching_beyond(%a: memref<8xi32>, %r: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    %row = memref.reinterpret_cast %a to offset: [%i], sizes: [3], strides: [1] : memref<8xi32> to memref<3xi32, strided<[1], offset: ?>>
    %v = affine.load %row[0] : memref<3xi32, strided<[1], offset: ?>>
    affine.store %v, %r[%i] : memref<8xi32>
  }
  return
}
