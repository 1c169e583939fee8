// test: opt --affine-loop-load-elimination
// test: run-opt --entry=in_place --arg=random:1[40] --arg=40
// test: run-opt --entry=in_place --arg=random:1[1] --arg=1
// test: run-opt --entry=in_place --arg=random:1[0] --arg=0
// test: run-opt --entry=ahead --arg=random:2 --arg=random:3
// test: run-opt --entry=maxima --arg=random:4[70] --arg=random:5[70] --arg=70
// test: run-opt --entry=every_other --arg=random:6[71] --arg=random:7[71] --arg=70
// test: run-opt --entry=of_a_column --arg=random:8 --arg=2
// test: run-opt --entry=left_written_twice --arg=random:9[40] --arg=40
// test: run-opt --entry=left_written_by_data --arg=random:10[40] --arg=random:11[40] --arg=40
// test: run-opt --entry=left_stored_first --arg=random:12[40] --arg=40
// test: run-opt --entry=left_two_back --arg=random:13[40] --arg=40
// test: run-opt --entry=left_under_a_condition --arg=random:14[40] --arg=random:15[40] --arg=40
// test: run-opt --entry=left_no_scan --arg=random:16[40] --arg=40
// test: run-opt --entry=left_in_rows --arg=random:17
// test: run-opt --entry=fed_back --arg=random:18[40] --arg=random:19[40] --arg=40
// test: run-opt --entry=fed_back --arg=random:18[40] --arg=random:19[40] --arg=2
// test: run-opt --entry=fed_back_in_a_row --arg=random:20

// Nothing is loaded where there is no iteration.
func.func @in_place(%s: memref<?xi32>, %n: index) {
  affine.for %i = 1 to %n {
    %x = affine.load %s[%i] : memref<?xi32>
    %before = affine.load %s[%i - 1] : memref<?xi32>
    %sum = arith.addi %x, %before : i32
    affine.store %sum, %s[%i] : memref<?xi32>
  }
  return
}

func.func @ahead(%a: memref<9000xi32>, %s: memref<9001xi32>) {
  affine.for %i = 0 to 9000 {
    %before = affine.load %s[%i] : memref<9001xi32>
    %x = affine.load %a[%i] : memref<9000xi32>
    %sum = arith.addi %before, %x : i32
    affine.store %sum, %s[%i + 1] : memref<9001xi32>
  }
  return
}

func.func @maxima(%a: memref<?xf32>, %m: memref<?xf32>, %n: index) {
  affine.for %i = 1 to %n {
    %before = affine.load %m[%i - 1] : memref<?xf32>
    %x = affine.load %a[%i] : memref<?xf32>
    %most = arith.maximumf %before, %x : f32
    affine.store %most, %m[%i] : memref<?xf32>
  }
  return
}

// The previous iteration is two elements away.
func.func @every_other(%a: memref<?xi32>, %s: memref<?xi32>, %n: index) {
  affine.for %i = 2 to %n step 2 {
    %before = affine.load %s[%i - 2] : memref<?xi32>
    %x = affine.load %a[%i] : memref<?xi32>
    %sum = arith.addi %before, %x : i32
    affine.store %sum, %s[%i] : memref<?xi32>
  }
  return
}

func.func @of_a_column(%s: memref<8200x3xi32>, %j: index) {
  affine.for %i = 1 to 8200 {
    %before = affine.load %s[%i - 1, symbol(%j)] : memref<8200x3xi32>
    %x = affine.load %s[%i, symbol(%j)] : memref<8200x3xi32>
    %sum = arith.addi %before, %x : i32
    affine.store %sum, %s[%i, symbol(%j)] : memref<8200x3xi32>
  }
  return
}

// A second store changes the element before it is loaded.
func.func @left_written_twice(%s: memref<?xi32>, %n: index) {
  %seven = arith.constant 7 : i32
  affine.for %i = 1 to %n {
    %before = affine.load %s[%i - 1] : memref<?xi32>
    %x = affine.load %s[%i] : memref<?xi32>
    %sum = arith.addi %x, %before : i32
    affine.store %sum, %s[%i] : memref<?xi32>
    %other = arith.xori %sum, %seven : i32
    affine.store %other, %s[%i] : memref<?xi32>
  }
  return
}

// Data chooses which element changes.
func.func @left_written_by_data(%s: memref<?xi32>, %at: memref<?xi32>, %n: index) {
  %thirty = arith.constant 31 : i32
  affine.for %i = 1 to %n {
    %before = affine.load %s[%i - 1] : memref<?xi32>
    %x = affine.load %at[%i] : memref<?xi32>
    %sum = arith.addi %x, %before : i32
    affine.store %sum, %s[%i] : memref<?xi32>
    %low = arith.andi %x, %thirty : i32
    %j = arith.index_cast %low : i32 to index
    memref.store %low, %s[%j] : memref<?xi32>
  }
  return
}

// The load is behind the store, of the iteration before all the same: the order of both does not matter there, but no
// other pass writes it so.
func.func @left_stored_first(%s: memref<?xi32>, %n: index) {
  %one = arith.constant 1 : i32
  affine.for %i = 1 to %n {
    affine.store %one, %s[%i] : memref<?xi32>
    %before = affine.load %s[%i - 1] : memref<?xi32>
    %sum = arith.addi %one, %before : i32
    affine.store %sum, %s[%i] : memref<?xi32>
  }
  return
}

func.func @left_two_back(%s: memref<?xi32>, %n: index) {
  affine.for %i = 2 to %n {
    %before = affine.load %s[%i - 2] : memref<?xi32>
    %x = affine.load %s[%i] : memref<?xi32>
    %sum = arith.addi %x, %before : i32
    affine.store %sum, %s[%i] : memref<?xi32>
  }
  return
}

func.func @left_under_a_condition(%s: memref<?xi32>, %a: memref<?xi32>, %n: index) {
  %zero = arith.constant 0 : i32
  affine.for %i = 1 to %n {
    %before = affine.load %s[%i - 1] : memref<?xi32>
    %x = affine.load %a[%i] : memref<?xi32>
    %sum = arith.addi %x, %before : i32
    %is_less = arith.cmpi slt, %x, %zero : i32
    scf.if %is_less {
      affine.store %sum, %s[%i] : memref<?xi32>
    }
  }
  return
}

// Each value has the square of the one before.
func.func @left_no_scan(%s: memref<?xi32>, %n: index) {
  affine.for %i = 1 to %n {
    %before = affine.load %s[%i - 1] : memref<?xi32>
    %x = affine.load %s[%i] : memref<?xi32>
    %product = arith.muli %before, %before : i32
    %sum = arith.addi %product, %x : i32
    affine.store %sum, %s[%i] : memref<?xi32>
  }
  return
}

// Rows are parallel as they are.
func.func @left_in_rows(%s: memref<30x20xi32>) {
  affine.for %i = 0 to 30 {
    affine.for %j = 1 to 20 {
      %before = affine.load %s[%i, %j - 1] : memref<30x20xi32>
      %x = affine.load %s[%i, %j] : memref<30x20xi32>
      %sum = arith.addi %x, %before : i32
      affine.store %sum, %s[%i, %j] : memref<30x20xi32>
    }
  }
  return
}

// A filter whose output is fed back twice, as C programs write it.
func.func @fed_back(%x: memref<?xi32>, %y: memref<?xi32>, %n: index) {
  %three = arith.constant 3 : i32
  affine.for %i = 2 to %n {
    %in = affine.load %x[%i] : memref<?xi32>
    %last = affine.load %y[%i - 1] : memref<?xi32>
    %second = affine.load %y[%i - 2] : memref<?xi32>
    %p = arith.muli %last, %three : i32
    %s = arith.addi %in, %p : i32
    %out = arith.subi %s, %second : i32
    affine.store %out, %y[%i] : memref<?xi32>
  }
  return
}

// In two dimensions, with the last element loaded twice.
func.func @fed_back_in_a_row(%y: memref<2x9000xi32>) {
  affine.for %i = 3 to 9000 {
    %third = affine.load %y[1, %i - 3] : memref<2x9000xi32>
    %second = affine.load %y[1, %i - 2] : memref<2x9000xi32>
    %last = affine.load %y[1, %i - 1] : memref<2x9000xi32>
    %again = affine.load %y[1, %i - 1] : memref<2x9000xi32>
    %x = affine.load %y[0, %i] : memref<2x9000xi32>
    %p = arith.addi %third, %last : i32
    %q = arith.subi %again, %second : i32
    %r = arith.addi %p, %q : i32
    %s = arith.addi %r, %x : i32
    affine.store %s, %y[1, %i] : memref<2x9000xi32>
  }
  return
}
