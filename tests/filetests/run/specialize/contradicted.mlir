// test: run --arg=iota[5] --arg=0
// expect: arg 0 = [0, 2, 4, 6, 8]
// test: run --arg=iota[4] --arg=1
// expect: arg 0 = [0, 1, 4, 9]
// test: run --arg=iota[8] --arg=2
// expect: arg 0 = [4, 5, 6, 7, 4, 5, 6, 7]

// Of the ways for other modes, which are not taken, the types of a view and of a cast contradict the
// sizes of the run: they must not make it an error.
func.func @square(%x: memref<?xi32>, %mode: i32) {
  %c0 = arith.constant 0 : index
  %size = memref.dim %x, %c0 : memref<?xi32>
  %one = arith.constant 1 : i32
  %is_less = arith.cmpi slt, %mode, %one : i32
  %is_one = arith.cmpi eq, %mode, %one : i32
  %is_more = arith.cmpi sgt, %mode, %one : i32
  scf.if %is_less {
    affine.for %i = 0 to %size {
      %v = affine.load %x[%i] : memref<?xi32>
      %w = arith.addi %v, %v : i32
      affine.store %w, %x[%i] : memref<?xi32>
    }
  }
  scf.if %is_one {
    %y = memref.cast %x : memref<?xi32> to memref<4xi32>
    affine.for %i = 0 to 4 {
      %v = affine.load %y[%i] : memref<4xi32>
      %w = arith.muli %v, %v : i32
      affine.store %w, %y[%i] : memref<4xi32>
    }
  }
  scf.if %is_more {
    %rest = memref.subview %x[4] [4] [1] : memref<?xi32> to memref<4xi32, strided<[1], offset: 4>>
    affine.for %i = 0 to 4 {
      %v = affine.load %rest[%i] : memref<4xi32, strided<[1], offset: 4>>
      affine.store %v, %x[%i] : memref<?xi32>
    }
  }
  return
}
