// test: opt --coalesce-sorted-ranges=min-iterations=1
// test: run-opt --entry=transposed --arg=iota --arg=random:1 --arg=random:2 --arg=zeros --arg=zeros --arg=zeros
// test: run-opt --entry=transposed --arg=zeros --arg=random:1 --arg=random:2 --arg=zeros --arg=zeros --arg=zeros
// test: run-opt --entry=last_of_each --arg=iota[33] --arg=random:3[40] --arg=random:4[32] --arg=zeros[16] --arg=32
// test: run-opt --entry=last_of_each --arg=iota[33] --arg=random:3[40] --arg=random:4[32] --arg=zeros[16] --arg=2
// test: run-opt --entry=last_of_each --arg=iota[0] --arg=random:3[40] --arg=random:4[32] --arg=zeros[16] --arg=0
// test: run-opt --entry=from_the_third --arg=iota --arg=random:5 --arg=zeros
// test: run-opt --entry=of_computed_ranges --arg=random:11 --arg=random:12 --arg=zeros --arg=1
// test: run-opt --entry=of_computed_ranges --arg=random:11 --arg=random:12 --arg=zeros --arg=0
// test: run-opt --entry=left_writing_ranges --arg=iota --arg=random:6 --arg=zeros
// test: run-opt --entry=left_writing_values --arg=iota --arg=random:7 --arg=iota
// test: run-opt --entry=left_with_gaps --arg=iota --arg=random:8 --arg=zeros
// test: run-opt --entry=left_in_steps --arg=iota --arg=random:9 --arg=zeros
// test: run-opt --entry=left_with_narrow_counter --arg=iota --arg=random:13 --arg=zeros
// test: run-opt --entry=left_with_work_between --arg=iota --arg=random:10 --arg=zeros --arg=zeros

// The transposition of a sparse matrix: a counting sort of its elements by columns.
func.func @transposed(%rows: memref<33xi32>, %col: memref<40xi32>, %val: memref<40xf32>, %next: memref<8xi32>,
                      %row_of: memref<64xi32>, %out: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %seven = arith.constant 7 : i32
  %most = arith.constant 63 : i32
  affine.for %i = 0 to 32 {
    %l = affine.load %rows[%i] : memref<33xi32>
    %u = affine.load %rows[%i + 1] : memref<33xi32>
    %begin = arith.index_cast %l : i32 to index
    %end = arith.index_cast %u : i32 to index
    %number = arith.index_cast %i : index to i32
    scf.for %p = %begin to %end step %c1 {
      %c = memref.load %col[%p] : memref<40xi32>
      %low = arith.andi %c, %seven : i32
      %j = arith.index_cast %low : i32 to index
      %d = memref.load %next[%j] : memref<8xi32>
      %more = arith.addi %d, %one : i32
      memref.store %more, %next[%j] : memref<8xi32>
      %masked = arith.andi %d, %most : i32
      %to = arith.index_cast %masked : i32 to index
      %v = memref.load %val[%p] : memref<40xf32>
      memref.store %number, %row_of[%to] : memref<64xi32>
      memref.store %v, %out[%to] : memref<64xf32>
    }
  }
  return
}

// Stores that the last row of a column wins, of a value that each row loads.
func.func @last_of_each(%rows: memref<?xi64>, %col: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %fifteen = arith.constant 15 : i32
  affine.for %i = 0 to %n {
    %l = affine.load %rows[%i] : memref<?xi64>
    %u = affine.load %rows[%i + 1] : memref<?xi64>
    %begin = arith.index_cast %l : i64 to index
    %end = arith.index_cast %u : i64 to index
    %v = affine.load %x[%i] : memref<?xf32>
    scf.for %p = %begin to %end step %c1 {
      %c = memref.load %col[%p] : memref<?xi32>
      %low = arith.andi %c, %fifteen : i32
      %j = arith.index_cast %low : i32 to index
      memref.store %v, %y[%j] : memref<?xf32>
    }
  }
  return
}

// Ranges that begin at the element before the counter's.
func.func @from_the_third(%rows: memref<40xindex>, %col: memref<40xi32>, %y: memref<16xi32>) {
  %c1 = arith.constant 1 : index
  %fifteen = arith.constant 15 : i32
  affine.for %i = 3 to 37 {
    %begin = affine.load %rows[%i - 1] : memref<40xindex>
    %end = affine.load %rows[%i] : memref<40xindex>
    %number = arith.index_cast %i : index to i32
    scf.for %p = %begin to %end step %c1 {
      %c = memref.load %col[%p] : memref<40xi32>
      %low = arith.andi %c, %fifteen : i32
      %j = arith.index_cast %low : i32 to index
      memref.store %number, %y[%j] : memref<16xi32>
    }
  }
  return
}

// Ranges of up to three elements, or, for 0, between numbers in no order.
func.func @of_computed_ranges(%length: memref<20xi32>, %col: memref<64xi32>, %y: memref<16xi32>, %sums: i1) {
  %c1 = arith.constant 1 : index
  %three = arith.constant 3 : i32
  %fifteen = arith.constant 15 : i32
  %rows = memref.alloc() : memref<21xi32>
  affine.store %three, %rows[0] : memref<21xi32>
  affine.for %i = 0 to 20 {
    %n = affine.load %length[%i] : memref<20xi32>
    %few = arith.andi %n, %three : i32
    %before = affine.load %rows[%i] : memref<21xi32>
    %sum = arith.addi %before, %few : i32
    %any = arith.andi %n, %fifteen : i32
    %next = arith.select %sums, %sum, %any : i32
    affine.store %next, %rows[%i + 1] : memref<21xi32>
  }
  affine.for %i = 0 to 20 {
    %l = affine.load %rows[%i] : memref<21xi32>
    %u = affine.load %rows[%i + 1] : memref<21xi32>
    %begin = arith.index_cast %l : i32 to index
    %end = arith.index_cast %u : i32 to index
    %number = arith.index_cast %i : index to i32
    scf.for %p = %begin to %end step %c1 {
      %c = memref.load %col[%p] : memref<64xi32>
      %low = arith.andi %c, %fifteen : i32
      %j = arith.index_cast %low : i32 to index
      memref.store %number, %y[%j] : memref<16xi32>
    }
  }
  memref.dealloc %rows : memref<21xi32>
  return
}

// The inner loop may write the ranges to come.
func.func @left_writing_ranges(%rows: memref<33xi32>, %col: memref<40xi32>, %y: memref<16xi32>) {
  %c1 = arith.constant 1 : index
  %fifteen = arith.constant 15 : i32
  affine.for %i = 0 to 32 {
    %l = affine.load %rows[%i] : memref<33xi32>
    %u = affine.load %rows[%i + 1] : memref<33xi32>
    %begin = arith.index_cast %l : i32 to index
    %end = arith.index_cast %u : i32 to index
    scf.for %p = %begin to %end step %c1 {
      %c = memref.load %col[%p] : memref<40xi32>
      %low = arith.andi %c, %fifteen : i32
      %j = arith.index_cast %low : i32 to index
      memref.store %low, %y[%j] : memref<16xi32>
      memref.store %low, %rows[%j] : memref<33xi32>
    }
  }
  return
}

// The inner loop may write what the outer one loads for the next iteration.
func.func @left_writing_values(%rows: memref<33xi32>, %col: memref<40xi32>, %y: memref<32xi32>) {
  %c1 = arith.constant 1 : index
  %fifteen = arith.constant 15 : i32
  affine.for %i = 0 to 32 {
    %l = affine.load %rows[%i] : memref<33xi32>
    %u = affine.load %rows[%i + 1] : memref<33xi32>
    %begin = arith.index_cast %l : i32 to index
    %end = arith.index_cast %u : i32 to index
    %v = affine.load %y[%i] : memref<32xi32>
    scf.for %p = %begin to %end step %c1 {
      %c = memref.load %col[%p] : memref<40xi32>
      %low = arith.andi %c, %fifteen : i32
      %j = arith.index_cast %low : i32 to index
      memref.store %v, %y[%j] : memref<32xi32>
    }
  }
  return
}

// Between the ranges are elements that belong to none.
func.func @left_with_gaps(%rows: memref<66xi32>, %col: memref<66xi32>, %y: memref<16xi32>) {
  %c1 = arith.constant 1 : index
  %fifteen = arith.constant 15 : i32
  affine.for %i = 0 to 32 {
    %l = affine.load %rows[%i * 2] : memref<66xi32>
    %u = affine.load %rows[%i * 2 + 1] : memref<66xi32>
    %begin = arith.index_cast %l : i32 to index
    %end = arith.index_cast %u : i32 to index
    scf.for %p = %begin to %end step %c1 {
      %c = memref.load %col[%p] : memref<66xi32>
      %low = arith.andi %c, %fifteen : i32
      %j = arith.index_cast %low : i32 to index
      memref.store %c, %y[%j] : memref<16xi32>
    }
  }
  return
}

func.func @left_in_steps(%rows: memref<33xi32>, %col: memref<40xi32>, %y: memref<16xi32>) {
  %c2 = arith.constant 2 : index
  %fifteen = arith.constant 15 : i32
  affine.for %i = 0 to 32 {
    %l = affine.load %rows[%i] : memref<33xi32>
    %u = affine.load %rows[%i + 1] : memref<33xi32>
    %begin = arith.index_cast %l : i32 to index
    %end = arith.index_cast %u : i32 to index
    scf.for %p = %begin to %end step %c2 {
      %c = memref.load %col[%p] : memref<40xi32>
      %low = arith.andi %c, %fifteen : i32
      %j = arith.index_cast %low : i32 to index
      memref.store %c, %y[%j] : memref<16xi32>
    }
  }
  return
}

// Empty ranges store, too.
func.func @left_with_work_between(%rows: memref<33xi32>, %col: memref<40xi32>, %y: memref<16xi32>, %z: memref<32xi32>) {
  %c1 = arith.constant 1 : index
  %fifteen = arith.constant 15 : i32
  affine.for %i = 0 to 32 {
    %l = affine.load %rows[%i] : memref<33xi32>
    %u = affine.load %rows[%i + 1] : memref<33xi32>
    %begin = arith.index_cast %l : i32 to index
    %end = arith.index_cast %u : i32 to index
    %length = arith.subi %u, %l : i32
    affine.store %length, %z[%i] : memref<32xi32>
    scf.for %p = %begin to %end step %c1 {
      %c = memref.load %col[%p] : memref<40xi32>
      %low = arith.andi %c, %fifteen : i32
      %j = arith.index_cast %low : i32 to index
      memref.store %c, %y[%j] : memref<16xi32>
    }
  }
  return
}

// The inner counter is an integer of the array.
func.func @left_with_narrow_counter(%rows: memref<33xi32>, %col: memref<40xi32>, %y: memref<16xi32>) {
  %c1 = arith.constant 1 : i32
  %fifteen = arith.constant 15 : i32
  affine.for %i = 0 to 32 {
    %begin = affine.load %rows[%i] : memref<33xi32>
    %end = affine.load %rows[%i + 1] : memref<33xi32>
    scf.for %p = %begin to %end step %c1 : i32 {
      %at = arith.index_cast %p : i32 to index
      %c = memref.load %col[%at] : memref<40xi32>
      %low = arith.andi %c, %fifteen : i32
      %j = arith.index_cast %low : i32 to index
      memref.store %p, %y[%j] : memref<16xi32>
    }
  }
  return
}
