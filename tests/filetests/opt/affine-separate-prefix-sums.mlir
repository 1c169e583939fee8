// test: opt --affine-separate-prefix-sums=fp=strict
// test: run-opt --entry=recurrence --arg=random:1 --arg=random:2
// test: run-opt --entry=open --arg=random:1[8x9] --arg=random:2[8x9]
// test: run-opt --entry=open --arg=random:1[8x0] --arg=random:2[8x0]
// test: run-opt --entry=carried --arg=random:1 --arg=random:2
// test: run-opt --entry=left_in_order --arg=random:1 --arg=random:2
// test: run-opt --entry=left_with_other_rows --arg=random:1
// test: run-opt --entry=left_by_triangles --arg=random:1 --arg=random:2

func.func @recurrence(%a: memref<8x9xi32>, %s: memref<9x10xi32>) {
  affine.for %i = 1 to 9 {
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

// In place, every other element of columns of rows, less another array: a row may have no element.
func.func @open(%a: memref<?x?xi32>, %s: memref<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %s, %c0 : memref<?x?xi32>
  %m = memref.dim %s, %c1 : memref<?x?xi32>
  affine.for %i = 1 to %n {
    affine.for %j = 2 to %m step 2 {
      %v = affine.load %a[%i, %j] : memref<?x?xi32>
      %o = affine.load %s[%i, %j] : memref<?x?xi32>
      %u = affine.load %s[%i - 1, %j] : memref<?x?xi32>
      %l = affine.load %s[%i, %j - 2] : memref<?x?xi32>
      %d = affine.load %s[%i - 1, %j - 2] : memref<?x?xi32>
      %x = arith.subi %u, %v : i32
      %y = arith.subi %l, %d : i32
      %w = arith.addi %x, %y : i32
      %z = arith.addi %w, %o : i32
      affine.store %z, %s[%i, %j] : memref<?x?xi32>
    }
  }
  return
}

// The order of additions stays.
func.func @carried(%a: memref<8x9xf32>, %s: memref<9x9xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 9 iter_args(%r = %zero) -> f32 {
      %v = affine.load %a[%i, %j] : memref<8x9xf32>
      %w = arith.addf %r, %v : f32
      %u = affine.load %s[%i, %j] : memref<9x9xf32>
      %x = arith.addf %u, %w : f32
      affine.store %x, %s[%i + 1, %j] : memref<9x9xf32>
      affine.yield %w : f32
    }
  }
  return
}

// Strict floats.
func.func @left_in_order(%a: memref<8x9xf32>, %s: memref<9x10xf32>) {
  affine.for %i = 1 to 9 {
    affine.for %j = 1 to 10 {
      %v = affine.load %a[%i - 1, %j - 1] : memref<8x9xf32>
      %u = affine.load %s[%i - 1, %j] : memref<9x10xf32>
      %l = affine.load %s[%i, %j - 1] : memref<9x10xf32>
      %d = affine.load %s[%i - 1, %j - 1] : memref<9x10xf32>
      %x = arith.addf %v, %u : f32
      %y = arith.subf %x, %d : f32
      %z = arith.addf %l, %y : f32
      affine.store %z, %s[%i, %j] : memref<9x10xf32>
    }
  }
  return
}

// What is added comes from elements that other iterations store.
func.func @left_with_other_rows(%s: memref<9x10xi32>) {
  affine.for %i = 1 to 9 {
    affine.for %j = 1 to 9 {
      %v = affine.load %s[%i - 1, %j + 1] : memref<9x10xi32>
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

// The column before the first one of a row is stored in the row before.
func.func @left_by_triangles(%a: memref<8x9xi32>, %s: memref<9x10xi32>) {
  affine.for %i = 1 to 9 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to 10 {
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
