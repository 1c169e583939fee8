// A view that is made from the base of a small one reaches into its neighbour: the arguments have no
// element in common, what the function touches has.
//     m[i + 4] = m[i + 3] + 1          for i = 0, 1, 2, 3, in that order
//
// test: run --entry=main --arg=zeros
// expect: arg 0 = [0, 0, 0, 0, 1, 2, 3, 4]
func.func private @next(%a: memref<4xi32, strided<[1], offset: ?>>, %b: memref<4xi32, strided<[1], offset: ?>>, %again: i1) {
  %all = memref.reinterpret_cast %a to offset: [0], sizes: [8], strides: [1]
      : memref<4xi32, strided<[1], offset: ?>> to memref<8xi32, strided<[1]>>
  affine.for %i = 0 to 4 {
    %one = arith.constant 1 : i32
    %x = affine.load %all[%i + 3] : memref<8xi32, strided<[1]>>
    %y = arith.addi %x, %one : i32
    affine.store %y, %b[%i] : memref<4xi32, strided<[1], offset: ?>>
  }
  scf.if %again {
    %no = arith.constant false
    func.call @next(%a, %b, %no) : (memref<4xi32, strided<[1], offset: ?>>, memref<4xi32, strided<[1], offset: ?>>, i1) -> ()
  }
  return
}

func.func @main(%m: memref<8xi32>) {
  %no = arith.constant false
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %low = memref.subview %m[%c0] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1], offset: ?>>
  %high = memref.subview %m[%c4] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1], offset: ?>>
  call @next(%low, %high, %no) : (memref<4xi32, strided<[1], offset: ?>>, memref<4xi32, strided<[1], offset: ?>>, i1) -> ()
  return
}
