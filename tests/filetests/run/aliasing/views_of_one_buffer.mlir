// Views of one buffer as arguments. The halves have no element in common and may be worked on in
// parallel; the views shifted by one do:
//     m[8 + i] = m[i] * 2          for i = 0, ..., 7, of 0, 1, ..., 15
//     m[i + 1] = m[i] * 2          for i = 0, ..., 7, in that order, so that each is twice the one before
// Before the second line m[0] is set to 1.
//
// test: run --entry=main --arg=iota
// expect: arg 0 = [1, 2, 4, 8, 16, 32, 64, 128, 256, 2, 4, 6, 8, 10, 12, 14]
func.func private @twice(%a: memref<8xi32, strided<[1], offset: ?>>, %b: memref<8xi32, strided<[1], offset: ?>>, %again: i1) {
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xi32, strided<[1], offset: ?>>
    %y = arith.addi %x, %x : i32
    affine.store %y, %b[%i] : memref<8xi32, strided<[1], offset: ?>>
  }
  scf.if %again {
    %no = arith.constant false
    func.call @twice(%a, %b, %no) : (memref<8xi32, strided<[1], offset: ?>>, memref<8xi32, strided<[1], offset: ?>>, i1) -> ()
  }
  return
}

func.func @main(%m: memref<16xi32>) {
  %no = arith.constant false
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %low = memref.subview %m[%c0] [8] [1] : memref<16xi32> to memref<8xi32, strided<[1], offset: ?>>
  %next = memref.subview %m[%c1] [8] [1] : memref<16xi32> to memref<8xi32, strided<[1], offset: ?>>
  %high = memref.subview %m[%c8] [8] [1] : memref<16xi32> to memref<8xi32, strided<[1], offset: ?>>
  call @twice(%low, %high, %no) : (memref<8xi32, strided<[1], offset: ?>>, memref<8xi32, strided<[1], offset: ?>>, i1) -> ()
  memref.store %one, %m[%c0] : memref<16xi32>
  call @twice(%low, %next, %no) : (memref<8xi32, strided<[1], offset: ?>>, memref<8xi32, strided<[1], offset: ?>>, i1) -> ()
  return
}
