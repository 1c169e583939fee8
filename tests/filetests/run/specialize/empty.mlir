// test: run --arg=iota[0x4] --arg=zeros[4] --arg=0
// expect: arg 1 = [7, 7, 7, 7]
// test: run --arg=iota[2x3] --arg=zeros[3] --arg=2
// expect: arg 1 = [10, 12, 14]
// test: run --arg=iota[3x0] --arg=zeros[0] --arg=3
// expect: arg 1 = []

// Sums of columns, of which there may be none, or no rows in them.
func.func @columns(%x: memref<?x?xi32>, %y: memref<?xi32>, %m: index) {
  %c0 = arith.constant 0 : index
  %seven = arith.constant 7 : i32
  %n = memref.dim %y, %c0 : memref<?xi32>
  %work = memref.alloc(%m, %n) : memref<?x?xi32>
  affine.for %j = 0 to %n {
    affine.store %seven, %y[%j] : memref<?xi32>
  }
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %v = affine.load %x[%i, %j] : memref<?x?xi32>
      affine.store %v, %work[%i, %j] : memref<?x?xi32>
    }
  }
  affine.for %j = 0 to %n {
    affine.for %i = 0 to %m {
      %v = affine.load %work[%i, %j] : memref<?x?xi32>
      %s = affine.load %y[%j] : memref<?xi32>
      %t = arith.addi %s, %v : i32
      affine.store %t, %y[%j] : memref<?xi32>
    }
  }
  memref.dealloc %work : memref<?x?xi32>
  return
}
