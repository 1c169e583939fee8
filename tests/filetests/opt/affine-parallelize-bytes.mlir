// Views of one buffer of bytes: an element of a view is several bytes, which elements of other views may share.
// test: opt --affine-parallelize
// test: run-opt --entry=main
// expect: result 0 = 8

// Parallel: the two views have no byte in common, rows of four bytes and elements of eight.
func.func @apart(%b: memref<192xi8>, %v: f32, %w: f64) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %x = memref.view %b[%c0][] : memref<192xi8> to memref<4x4xf32>
  %y = memref.view %b[%c64][] : memref<192xi8> to memref<16xf64>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      affine.store %v, %x[%i, %j] : memref<4x4xf32>
      affine.store %w, %y[%i * 4 + %j] : memref<16xf64>
    }
  }
  return
}

// Sequential: element i of the one view has its last two bytes in element i of the other one, its
// first two in element i - 1.
func.func @across(%b: memref<192xi8>, %v: i32) {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %x = memref.view %b[%c2][] : memref<192xi8> to memref<16xi32>
  %y = memref.view %b[%c4][] : memref<192xi8> to memref<16xi32>
  affine.for %i = 0 to 16 {
    %w = affine.load %x[%i] : memref<16xi32>
    %s = arith.addi %w, %v : i32
    affine.store %s, %y[%i] : memref<16xi32>
  }
  return
}

// Sequential: element i of the view is the bytes 4 i to 4 i + 3, byte i + 1 among those of another i.
func.func @bytes(%b: memref<192xi8>, %v: i32) {
  %c0 = arith.constant 0 : index
  %x = memref.view %b[%c0][] : memref<192xi8> to memref<16xi32>
  affine.for %i = 0 to 16 {
    %byte = affine.load %b[%i + 1] : memref<192xi8>
    %w = arith.extsi %byte : i8 to i32
    affine.store %w, %x[%i] : memref<16xi32>
  }
  return
}

// Parallel: bytes behind the view.
func.func @behind(%b: memref<192xi8>) {
  %c0 = arith.constant 0 : index
  %x = memref.view %b[%c0][] : memref<192xi8> to memref<16xi32>
  affine.for %i = 0 to 16 {
    %byte = affine.load %b[%i + 64] : memref<192xi8>
    %w = arith.extsi %byte : i8 to i32
    affine.store %w, %x[%i] : memref<16xi32>
  }
  return
}

// Parallel: each element is of its own, wherever the view begins.
func.func @open(%b: memref<?xi8>, %at: index, %n: index, %v: f32) {
  %x = memref.view %b[%at][%n] : memref<?xi8> to memref<?x2xf32>
  affine.for %i = 0 to %n {
    affine.store %v, %x[%i, 1] : memref<?x2xf32>
  }
  return
}

// Sums in order: x[1] = 0 + 1 and so on; the last one is 8.
func.func @main() -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %b = memref.alloc() : memref<64xi8>
  %x = memref.view %b[%c0][] : memref<64xi8> to memref<9xi32>
  %y = memref.view %b[%c4][] : memref<64xi8> to memref<8xi32>
  affine.for %i = 0 to 9 {
    affine.store %zero, %x[%i] : memref<9xi32>
  }
  affine.for %i = 0 to 8 {
    %w = affine.load %x[%i] : memref<9xi32>
    %s = arith.addi %w, %one : i32
    affine.store %s, %y[%i] : memref<8xi32>
  }
  %last = affine.load %x[8] : memref<9xi32>
  return %last : i32
}
