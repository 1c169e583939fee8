// A counting sort of each row of bytes, with counters of open size that a function allocates. Row i of x is the numbers
// (7 * (5 * i + j)) mod 6 for j < 5.
// test: run --arg=zeros[4x5] --arg=6
// expect: arg 0 = [0, 1, 2, 3, 4, 0, 1, 2, 3, 5, 0, 1, 2, 4, 5, 0, 1, 3, 4, 5]
func.func private @count(%i: index, %x: memref<?x?xi32>, %k: index) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %seven = arith.constant 7 : index
  %five = arith.constant 5 : index
  %n = memref.dim %x, %c1 : memref<?x?xi32>
  %count = memref.alloc(%k) : memref<?xi32>
  affine.for %b = 0 to %k {
    affine.store %zero, %count[%b] : memref<?xi32>
  }
  affine.for %j = 0 to %n {
    %row = arith.muli %i, %five : index
    %place = arith.addi %row, %j : index
    %number = arith.muli %place, %seven : index
    %key = arith.remui %number, %k : index
    %before = memref.load %count[%key] : memref<?xi32>
    %after = arith.addi %before, %one : i32
    memref.store %after, %count[%key] : memref<?xi32>
  }
  affine.for %b = 1 to %k {
    %v = affine.load %count[%b] : memref<?xi32>
    %w = affine.load %count[%b - 1] : memref<?xi32>
    %sum = arith.addi %v, %w : i32
    affine.store %sum, %count[%b] : memref<?xi32>
  }
  affine.for %j = 0 to %n {
    %row = arith.muli %i, %five : index
    %place = arith.addi %row, %j : index
    %number = arith.muli %place, %seven : index
    %key = arith.remui %number, %k : index
    %end = memref.load %count[%key] : memref<?xi32>
    %at = arith.subi %end, %one : i32
    memref.store %at, %count[%key] : memref<?xi32>
    %to = arith.index_cast %at : i32 to index
    %word = arith.index_cast %key : index to i32
    memref.store %word, %x[%i, %to] : memref<?x?xi32>
  }
  memref.dealloc %count : memref<?xi32>
  return
}
func.func @sort(%x: memref<?x?xi32>, %k: index) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %x, %c0 : memref<?x?xi32>
  affine.for %i = 0 to %m {
    func.call @count(%i, %x, %k) : (index, memref<?x?xi32>, index) -> ()
  }
  return
}
