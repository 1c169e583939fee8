// A kernel that writes a view of an argument leaves the other bytes: those before the view, and at the end those that
// are not a whole element. The views lie at constant and open distances; another kernel reads all bytes after one.
//
// test: run --entry=middle --arg=iota
// expect: arg 0 = [0, 1, 2, 3, 7, 0, 0, 0, 7, 0, 0, 0, 12, 13, 14, 15, 16, 17, 18, 19, 20]
// test: run --entry=tail --arg=iota
// expect: arg 0 = [1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15, 17, 17, 19, 19, 20]
// test: run --entry=open --arg=iota --arg=12 --arg=zeros
// expect: arg 0 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 99, 13, 14, 15, 101, 17, 18, 19, 20]
// expect: arg 2 = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, -58, 26, 28, 30, -54, 34, 36, 38, 40]
func.func @middle(%b: memref<21xi8>) {
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : i32
  %v = memref.view %b[%c4][] : memref<21xi8> to memref<2xi32>
  affine.for %i = 0 to 2 {
    affine.store %c7, %v[%i] : memref<2xi32>
  }
  return
}

// An element of two bytes is 256 * (2 * i + 1) + 2 * i; the last byte is of none.
func.func @tail(%b: memref<21xi8>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i16
  %v = memref.view %b[%c0][] : memref<21xi8> to memref<10xi16>
  affine.for %i = 0 to 10 {
    %x = affine.load %v[%i] : memref<10xi16>
    %y = arith.ori %x, %one : i16
    affine.store %y, %v[%i] : memref<10xi16>
  }
  return
}

func.func @open(%b: memref<21xi8>, %at: index, %o: memref<21xi8>) {
  %c87 = arith.constant 87 : i32
  %n = arith.constant 2 : index
  %v = memref.view %b[%at][%n] : memref<21xi8> to memref<?xi32>
  affine.for %i = 0 to 2 {
    %x = affine.load %v[%i] : memref<?xi32>
    %k = arith.index_cast %i : index to i32
    %two = arith.constant 2 : i32
    %d = arith.muli %k, %two : i32
    %less = arith.subi %c87, %d : i32
    %z = arith.addi %x, %less : i32
    affine.store %z, %v[%i] : memref<?xi32>
  }
  affine.for %i = 0 to 21 {
    %x = affine.load %b[%i] : memref<21xi8>
    %y = arith.addi %x, %x : i8
    affine.store %y, %o[%i] : memref<21xi8>
  }
  return
}
