// A sparse matrix of 700 rows by 5 columns is transposed: rows of up to 255 elements, or of one of many.
// test: run --arg=random:1 --arg=random:2 --arg=random:3 --arg=zeros --arg=255
// test: run --map-for=gpu --arg=random:1 --arg=random:2 --arg=random:3 --arg=zeros --arg=255
// test: run --arg=random:1 --arg=random:2 --arg=random:3 --arg=zeros --arg=1
func.func @main(%length: memref<700xi32>, %hash: memref<178500xi32>, %value: memref<178500xf32>, %out: memref<178500xf32>, %most: i32)
    -> (memref<6xi32>, memref<178500xi32>) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %five = arith.constant 5 : i32
  %factor = arith.constant 41 : i32
  %rows = memref.alloc() : memref<701xi32>
  %columns = memref.alloc() : memref<178500xi32>
  affine.for %p = 0 to 178500 {
    %h = affine.load %hash[%p] : memref<178500xi32>
    %c = arith.remui %h, %five : i32
    affine.store %c, %columns[%p] : memref<178500xi32>
  }
  affine.store %zero, %rows[0] : memref<701xi32>
  affine.for %i = 0 to 700 {
    %n = affine.load %length[%i] : memref<700xi32>
    %turned = arith.muli %n, %factor : i32
    %few = arith.andi %turned, %most : i32
    %before = affine.load %rows[%i] : memref<701xi32>
    %sum = arith.addi %before, %few : i32
    affine.store %sum, %rows[%i + 1] : memref<701xi32>
  }
  // Where each column begins.
  %last = affine.load %rows[700] : memref<701xi32>
  %elements = arith.index_cast %last : i32 to index
  %next = memref.alloc() : memref<6xi32>
  affine.for %j = 0 to 6 {
    affine.store %zero, %next[%j] : memref<6xi32>
  }
  affine.for %p = 0 to %elements {
    %c = affine.load %columns[%p] : memref<178500xi32>
    %behind = arith.addi %c, %one : i32
    %j = arith.index_cast %behind : i32 to index
    %n = memref.load %next[%j] : memref<6xi32>
    %more = arith.addi %n, %one : i32
    memref.store %more, %next[%j] : memref<6xi32>
  }
  affine.for %j = 1 to 6 {
    %before = affine.load %next[%j - 1] : memref<6xi32>
    %n = affine.load %next[%j] : memref<6xi32>
    %sum = arith.addi %before, %n : i32
    affine.store %sum, %next[%j] : memref<6xi32>
  }
  %row_of = memref.alloc() : memref<178500xi32>
  affine.for %p = 0 to 178500 {
    affine.store %zero, %row_of[%p] : memref<178500xi32>
  }
  affine.for %i = 0 to 700 {
    %l = affine.load %rows[%i] : memref<701xi32>
    %u = affine.load %rows[%i + 1] : memref<701xi32>
    %begin = arith.index_cast %l : i32 to index
    %end = arith.index_cast %u : i32 to index
    %number = arith.index_cast %i : index to i32
    scf.for %p = %begin to %end step %c1 {
      %c = memref.load %columns[%p] : memref<178500xi32>
      %j = arith.index_cast %c : i32 to index
      %d = memref.load %next[%j] : memref<6xi32>
      %more = arith.addi %d, %one : i32
      memref.store %more, %next[%j] : memref<6xi32>
      %to = arith.index_cast %d : i32 to index
      %v = memref.load %value[%p] : memref<178500xf32>
      memref.store %number, %row_of[%to] : memref<178500xi32>
      memref.store %v, %out[%to] : memref<178500xf32>
    }
  }
  memref.dealloc %rows : memref<701xi32>
  memref.dealloc %columns : memref<178500xi32>
  return %next, %row_of : memref<6xi32>, memref<178500xi32>
}
