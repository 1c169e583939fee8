// Elements of one and two bytes beside each other: threads write single ones of a word, lengths are odd, and views begin
// anywhere in a word. y[i] = 3 x[i] + 1; elements beside a view stay.
//
// test: run --entry=bytes --arg=iota[1] --arg=zeros[1]
// expect: arg 1 = [1]
// test: run --entry=bytes --arg=iota[2] --arg=zeros[2]
// expect: arg 1 = [1, 4]
// test: run --entry=bytes --arg=iota[3] --arg=zeros[3]
// expect: arg 1 = [1, 4, 7]
// test: run --entry=bytes --arg=iota[5] --arg=zeros[5]
// expect: arg 1 = [1, 4, 7, 10, 13]
// test: run --entry=bytes --arg=iota[6] --arg=zeros[6]
// expect: arg 1 = [1, 4, 7, 10, 13, 16]
// test: run --entry=bytes --arg=iota[7] --arg=zeros[7]
// expect: arg 1 = [1, 4, 7, 10, 13, 16, 19]
// test: run --entry=pairs --arg=iota[3] --arg=zeros[3]
// expect: arg 1 = [1, 4, 7]
// test: run --entry=pairs --arg=iota[7] --arg=zeros[7]
// expect: arg 1 = [1, 4, 7, 10, 13, 16, 19]
// test: run --entry=part --arg=iota --arg=ones
// expect: arg 1 = [1, 1, 1, 7, 10, 13, 16, 19, 1, 1, 1]
// test: run --entry=part_of_pairs --arg=iota --arg=ones
// expect: arg 1 = [1, 7, 10, 13, 1]
// test: run --entry=columns --arg=iota --arg=zeros
// expect: arg 1 = [0, 3, 6, 0, 0, 0, 18, 21, 0, 0, 0, 33, 36, 0, 0]
// test: run --entry=nibbles --arg=iota --arg=zeros
// expect: arg 1 = [1, 4, 7, -6, -3]
// test: run --entry=flags --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [1, 0, 1, 0, 1]
// expect: arg 2 = [5, 6, 5, 6, 5]
func.func @bytes(%x: memref<?xi8>, %y: memref<?xi8>) {
  %zero = arith.constant 0 : index
  %n = memref.dim %x, %zero : memref<?xi8>
  %one = arith.constant 1 : i8
  %three = arith.constant 3 : i8
  affine.for %i = 0 to %n {
    %v = affine.load %x[%i] : memref<?xi8>
    %w = arith.muli %v, %three : i8
    %s = arith.addi %w, %one : i8
    affine.store %s, %y[%i] : memref<?xi8>
  }
  return
}

func.func @pairs(%x: memref<?xi16>, %y: memref<?xi16>) {
  %zero = arith.constant 0 : index
  %n = memref.dim %x, %zero : memref<?xi16>
  %one = arith.constant 1 : i16
  %three = arith.constant 3 : i16
  affine.for %i = 0 to %n {
    %v = affine.load %x[%i] : memref<?xi16>
    %w = arith.muli %v, %three : i16
    %s = arith.addi %w, %one : i16
    affine.store %s, %y[%i] : memref<?xi16>
  }
  return
}

func.func @part(%x: memref<11xi8>, %y: memref<11xi8>) {
  %one = arith.constant 1 : i8
  %three = arith.constant 3 : i8
  %from = memref.subview %x[2] [5] [1] : memref<11xi8> to memref<5xi8, strided<[1], offset: 2>>
  %to = memref.subview %y[3] [5] [1] : memref<11xi8> to memref<5xi8, strided<[1], offset: 3>>
  affine.for %i = 0 to 5 {
    %v = affine.load %from[%i] : memref<5xi8, strided<[1], offset: 2>>
    %w = arith.muli %v, %three : i8
    %s = arith.addi %w, %one : i8
    affine.store %s, %to[%i] : memref<5xi8, strided<[1], offset: 3>>
  }
  return
}

func.func @part_of_pairs(%x: memref<5xi16>, %y: memref<5xi16>) {
  %one = arith.constant 1 : i16
  %three = arith.constant 3 : i16
  %from = memref.subview %x[2] [3] [1] : memref<5xi16> to memref<3xi16, strided<[1], offset: 2>>
  %to = memref.subview %y[1] [3] [1] : memref<5xi16> to memref<3xi16, strided<[1], offset: 1>>
  affine.for %i = 0 to 3 {
    %v = affine.load %from[%i] : memref<3xi16, strided<[1], offset: 2>>
    %w = arith.muli %v, %three : i16
    %s = arith.addi %w, %one : i16
    affine.store %s, %to[%i] : memref<3xi16, strided<[1], offset: 1>>
  }
  return
}

// Two columns of rows of five bytes: y[r][c] = 3 x[r][c] for c = 1, 2.
func.func @columns(%x: memref<3x5xi8>, %y: memref<3x5xi8>) {
  %three = arith.constant 3 : i8
  affine.for %r = 0 to 3 {
    affine.for %c = 1 to 3 {
      %v = affine.load %x[%r, %c] : memref<3x5xi8>
      %w = arith.muli %v, %three : i8
      affine.store %w, %y[%r, %c] : memref<3x5xi8>
    }
  }
  return
}

// Integers of four bits, which wrap around: 10 is -6, 13 is -3.
func.func @nibbles(%x: memref<5xi8>, %y: memref<5xi8>) {
  %one = arith.constant 1 : i4
  %three = arith.constant 3 : i4
  %t = memref.alloc() : memref<5xi4>
  affine.for %i = 0 to 5 {
    %b = affine.load %x[%i] : memref<5xi8>
    %v = arith.trunci %b : i8 to i4
    %w = arith.muli %v, %three : i4
    %s = arith.addi %w, %one : i4
    affine.store %s, %t[%i] : memref<5xi4>
  }
  affine.for %i = 0 to 5 {
    %v = affine.load %t[4 - %i] : memref<5xi4>
    %w = arith.extsi %v : i4 to i8
    affine.store %w, %y[4 - %i] : memref<5xi8>
  }
  memref.dealloc %t : memref<5xi4>
  return
}

func.func @flags(%x: memref<5xi16>, %even: memref<5xi1>, %y: memref<5xi8>) {
  %one = arith.constant 1 : i16
  %zero = arith.constant 0 : i16
  %five = arith.constant 5 : i8
  %six = arith.constant 6 : i8
  affine.for %i = 0 to 5 {
    %v = affine.load %x[%i] : memref<5xi16>
    %bit = arith.andi %v, %one : i16
    %is = arith.cmpi eq, %bit, %zero : i16
    affine.store %is, %even[%i] : memref<5xi1>
  }
  affine.for %i = 0 to 5 {
    %is = affine.load %even[%i] : memref<5xi1>
    %v = arith.select %is, %five, %six : i8
    affine.store %v, %y[%i] : memref<5xi8>
  }
  return
}
