// test: opt --affine-separate-prefix-sums=fp=strict
// test: run-opt --entry=carried --arg=random:1 --arg=random:2
// test: run-opt --entry=carried_by_columns --arg=random:1 --arg=random:2
// test: run-opt --entry=recurrence --arg=random:1 --arg=random:2
// test: run-opt --entry=left_where_rows_meet --arg=random:1 --arg=random:2
// test: run-opt --entry=left_where_borders_meet --arg=random:1 --arg=random:2
// test: run-opt --entry=left_for_open_rows --arg=random:1[70] --arg=random:2[80]
// test: run-opt --entry=border_in_the_nest --arg=random:1 --arg=random:2
// test: run-opt --entry=left_with_border_above --arg=random:1 --arg=random:2
// test: run-opt --entry=left_with_border_under_test --arg=random:1 --arg=random:2[8x9]
// test: run-opt --entry=left_with_border_under_test --arg=random:1 --arg=random:2[8x1]

// Both counters in one subscript: nine columns in rows of nine.
func.func @carried(%a: memref<72xi32>, %s: memref<81xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 9 iter_args(%r = %zero) -> i32 {
      %v = affine.load %a[%i * 9 + %j] : memref<72xi32>
      %w = arith.addi %r, %v : i32
      %u = affine.load %s[%i * 9 + %j] : memref<81xi32>
      %x = arith.addi %u, %w : i32
      affine.store %x, %s[%i * 9 + %j + 9] : memref<81xi32>
      affine.yield %w : i32
    }
  }
  return
}

// Stored by columns: eight rows and the one in front fit nine.
func.func @carried_by_columns(%a: memref<72xi32>, %s: memref<90xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 1 to 9 {
    affine.for %j = 0 to 9 iter_args(%r = %zero) -> i32 {
      %v = affine.load %a[%i * 8 + %j - 8] : memref<72xi32>
      %w = arith.addi %r, %v : i32
      %u = affine.load %s[%j * 9 + %i - 1] : memref<90xi32>
      %x = arith.addi %u, %w : i32
      affine.store %x, %s[%j * 9 + %i] : memref<90xi32>
      affine.yield %w : i32
    }
  }
  return
}

// The column in front of the first one is the row's own.
func.func @recurrence(%a: memref<80xi32>, %s: memref<90xi32>) {
  affine.for %i = 1 to 9 {
    affine.for %j = 1 to 10 {
      %v = affine.load %a[%i * 8 + %j - 2] : memref<80xi32>
      %u = affine.load %s[%i * 10 + %j - 10] : memref<90xi32>
      %l = affine.load %s[%i * 10 + %j - 1] : memref<90xi32>
      %d = affine.load %s[%i * 10 + %j - 11] : memref<90xi32>
      %x = arith.addi %v, %u : i32
      %y = arith.subi %x, %d : i32
      %z = arith.addi %l, %y : i32
      affine.store %z, %s[%i * 10 + %j] : memref<90xi32>
    }
  }
  return
}

// The last element of a row is the first one of the next.
func.func @left_where_rows_meet(%a: memref<80xi32>, %s: memref<81xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 9 iter_args(%r = %zero) -> i32 {
      %v = affine.load %a[%i * 8 + %j] : memref<80xi32>
      %w = arith.addi %r, %v : i32
      %u = affine.load %s[%i * 8 + %j] : memref<81xi32>
      %x = arith.addi %u, %w : i32
      affine.store %x, %s[%i * 8 + %j + 8] : memref<81xi32>
      affine.yield %w : i32
    }
  }
  return
}

// What is in front of a row's first element is the last one of the row before.
func.func @left_where_borders_meet(%a: memref<80xi32>, %s: memref<90xi32>) {
  affine.for %i = 1 to 9 {
    affine.for %j = 1 to 10 {
      %v = affine.load %a[%i * 8 + %j - 2] : memref<80xi32>
      %u = affine.load %s[%i * 9 + %j - 9] : memref<90xi32>
      %l = affine.load %s[%i * 9 + %j - 1] : memref<90xi32>
      %d = affine.load %s[%i * 9 + %j - 10] : memref<90xi32>
      %x = arith.addi %v, %u : i32
      %y = arith.subi %x, %d : i32
      %z = arith.addi %l, %y : i32
      affine.store %z, %s[%i * 9 + %j] : memref<90xi32>
    }
  }
  return
}

// A row of unknown length may reach into the next.
func.func @left_for_open_rows(%a: memref<?xi32>, %s: memref<80xi32>) {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  affine.for %i = 0 to 1 {
    affine.for %j = 0 to %n iter_args(%r = %zero) -> i32 {
      %v = affine.load %a[%j] : memref<?xi32>
      %w = arith.addi %r, %v : i32
      %u = affine.load %s[%i * 9 + %j] : memref<80xi32>
      %x = arith.addi %u, %w : i32
      affine.store %x, %s[%i * 9 + %j + 9] : memref<80xi32>
      affine.yield %w : i32
    }
  }
  return
}

// What stands in front of the rows stores beside the sums.
func.func @border_in_the_nest(%a: memref<8x9xi32>, %s: memref<9x10xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 1 to 9 {
    affine.store %zero, %s[%i, 0] : memref<9x10xi32>
    affine.for %j = 1 to 10 {
      %v = affine.load %a[%i - 1, %j - 1] : memref<8x9xi32>
      %u = affine.load %s[%i - 1, %j] : memref<9x10xi32>
      %l = affine.load %s[%i, %j - 1] : memref<9x10xi32>
      %d = affine.load %s[%i - 1, %j - 1] : memref<9x10xi32>
      %x = arith.addi %v, %u : i32
      %y = arith.subi %x, %d : i32
      %z = arith.addi %l, %y : i32
      affine.store %z, %s[%i, %j] : memref<9x10xi32>
    }
  }
  return
}

// The columns would load what all rows have stored above the first one.
func.func @left_with_border_above(%a: memref<8x9xi32>, %s: memref<9x10xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 1 to 9 {
    affine.store %zero, %s[0, 10 - %i] : memref<9x10xi32>
    affine.for %j = 1 to 10 iter_args(%r = %zero) -> i32 {
      %v = affine.load %a[%i - 1, %j - 1] : memref<8x9xi32>
      %w = arith.addi %r, %v : i32
      %u = affine.load %s[%i - 1, %j] : memref<9x10xi32>
      %x = arith.addi %u, %w : i32
      affine.store %x, %s[%i, %j] : memref<9x10xi32>
      affine.yield %w : i32
    }
  }
  return
}

// The borders are stored where rows have no other element, too.
func.func @left_with_border_under_test(%a: memref<8x9xi32>, %s: memref<?x?xi32>) {
  %zero = arith.constant 0 : i32
  %c1 = arith.constant 1 : index
  %m = memref.dim %s, %c1 : memref<?x?xi32>
  affine.for %i = 1 to 8 {
    affine.store %zero, %s[%i, 0] : memref<?x?xi32>
    affine.for %j = 1 to %m {
      %v = affine.load %a[%i, %j] : memref<8x9xi32>
      %u = affine.load %s[%i - 1, %j] : memref<?x?xi32>
      %l = affine.load %s[%i, %j - 1] : memref<?x?xi32>
      %d = affine.load %s[%i - 1, %j - 1] : memref<?x?xi32>
      %x = arith.addi %v, %u : i32
      %y = arith.subi %x, %d : i32
      %z = arith.addi %l, %y : i32
      affine.store %z, %s[%i, %j] : memref<?x?xi32>
    }
  }
  return
}
