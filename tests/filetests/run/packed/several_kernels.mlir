// Buffers of bytes that several kernels and the host use in turns: y = x + 1, the host sets an element, z = 2 y; copies of
// parts, at odd places, between buffers and within one.
//
// test: run --entry=in_turns --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [1, 2, 100, 4, 5, 6, 7, 8, 9]
// expect: arg 2 = [2, 4, -56, 8, 10, 12, 14, 16, 18]
// expect: result 0 = 12
// test: run --entry=copied --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [0, 0, 0, 2, 3, 4, 5, 0, 0, 0, 0]
// expect: arg 2 = [0, 0, 5, 7, 9, 11, 0]
// test: run --entry=box --arg=iota --arg=zeros
// expect: arg 1 = [0, 0, 0, 0, 0, 2, 3, 4, 0, 7, 8, 9, 0, 12, 13, 14]
// test: run --entry=repeated --arg=ones
// expect: arg 0 = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
func.func @in_turns(%x: memref<9xi8>, %y: memref<9xi8>, %z: memref<9xi8>) -> i8 {
  %one = arith.constant 1 : i8
  %hundred = arith.constant 100 : i8
  %two = arith.constant 2 : index
  %five = arith.constant 5 : index
  affine.for %i = 0 to 9 {
    %v = affine.load %x[%i] : memref<9xi8>
    %w = arith.addi %v, %one : i8
    affine.store %w, %y[%i] : memref<9xi8>
  }
  memref.store %hundred, %y[%two] : memref<9xi8>
  affine.for %i = 0 to 9 {
    %v = affine.load %y[%i] : memref<9xi8>
    %w = arith.addi %v, %v : i8
    affine.store %w, %z[%i] : memref<9xi8>
  }
  %r = memref.load %z[%five] : memref<9xi8>
  return %r : i8
}

// y[3 ..] = x[2 ..], then z[2 ..] = y[3 ..] + x[3 ..].
func.func @copied(%x: memref<11xi8>, %y: memref<11xi8>, %z: memref<7xi8>) {
  %one = arith.constant 1 : i8
  %t = memref.alloc() : memref<11xi8>
  affine.for %i = 0 to 11 {
    %v = affine.load %x[%i] : memref<11xi8>
    affine.store %v, %t[%i] : memref<11xi8>
  }
  %from = memref.subview %t[2] [4] [1] : memref<11xi8> to memref<4xi8, strided<[1], offset: 2>>
  %to = memref.subview %y[3] [4] [1] : memref<11xi8> to memref<4xi8, strided<[1], offset: 3>>
  memref.copy %from, %to : memref<4xi8, strided<[1], offset: 2>> to memref<4xi8, strided<[1], offset: 3>>
  affine.for %i = 0 to 4 {
    %v = affine.load %y[%i + 3] : memref<11xi8>
    %w = affine.load %x[%i + 3] : memref<11xi8>
    %s = arith.addi %v, %w : i8
    affine.store %s, %z[%i + 2] : memref<7xi8>
  }
  memref.dealloc %t : memref<11xi8>
  return
}

// Three columns of three rows, of pairs of bytes: a box with strides on both sides.
func.func @box(%x: memref<3x5xi16>, %y: memref<4x4xi16>) {
  %t = memref.alloc() : memref<3x5xi16>
  affine.for %r = 0 to 3 {
    affine.for %c = 0 to 5 {
      %v = affine.load %x[%r, %c] : memref<3x5xi16>
      affine.store %v, %t[%r, %c] : memref<3x5xi16>
    }
  }
  %from = memref.subview %t[0, 2] [3, 3] [1, 1]
    : memref<3x5xi16> to memref<3x3xi16, strided<[5, 1], offset: 2>>
  %to = memref.subview %y[1, 1] [3, 3] [1, 1]
    : memref<4x4xi16> to memref<3x3xi16, strided<[4, 1], offset: 5>>
  memref.copy %from, %to
    : memref<3x3xi16, strided<[5, 1], offset: 2>> to memref<3x3xi16, strided<[4, 1], offset: 5>>
  memref.dealloc %t : memref<3x5xi16>
  return
}

// A copy that overlaps itself by all but a byte, of equal bytes.
func.func @repeated(%x: memref<13xi8>) {
  %one = arith.constant 1 : i8
  %zero = arith.constant 0 : i8
  affine.for %i = 0 to 13 {
    %v = affine.load %x[%i] : memref<13xi8>
    %w = arith.muli %v, %one : i8
    affine.store %w, %x[%i] : memref<13xi8>
  }
  %from = memref.subview %x[0] [12] [1] : memref<13xi8> to memref<12xi8, strided<[1]>>
  %to = memref.subview %x[1] [12] [1] : memref<13xi8> to memref<12xi8, strided<[1], offset: 1>>
  memref.copy %from, %to : memref<12xi8, strided<[1]>> to memref<12xi8, strided<[1], offset: 1>>
  return
}
