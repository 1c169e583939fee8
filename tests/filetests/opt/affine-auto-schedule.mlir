// test: opt --affine-auto-schedule
// test: run-opt --entry=product --arg=random:1 --arg=random:2 --arg=zeros
// test: run-opt --entry=prefix --arg=random:1
// test: run-opt --entry=backward --arg=random:1[9x9] --arg=random:2[9]
// test: run-opt --entry=backward --arg=random:1[0x0] --arg=random:2[0]
// test: run-opt --entry=wave --arg=random:1
// test: run-opt --entry=temporary --arg=random:1 --arg=zeros
// test: run-opt --entry=total --arg=random:1 --arg=zeros
// test: run-opt --entry=recurrence --arg=random:1

// The sum stays inside; both loops over elements are parallel.
func.func @product(%a: memref<20x30xi32>, %b: memref<30x20xi32>, %c: memref<20x20xi32>) {
  affine.for %k = 0 to 30 {
    affine.for %i = 0 to 20 {
      affine.for %j = 0 to 20 {
        %x = affine.load %a[%i, %k] : memref<20x30xi32>
        %y = affine.load %b[%k, %j] : memref<30x20xi32>
        %p = arith.muli %x, %y : i32
        %s = affine.load %c[%i, %j] : memref<20x20xi32>
        %t = arith.addi %s, %p : i32
        affine.store %t, %c[%i, %j] : memref<20x20xi32>
      }
    }
  }
  return
}

// Columns are independent, and come outside.
func.func @prefix(%a: memref<20x30xi32>) {
  affine.for %i = 1 to 20 {
    affine.for %j = 0 to 30 {
      %x = affine.load %a[%i - 1, %j] : memref<20x30xi32>
      %y = affine.load %a[%i, %j] : memref<20x30xi32>
      %s = arith.addi %x, %y : i32
      affine.store %s, %a[%i, %j] : memref<20x30xi32>
    }
  }
  return
}

// Rows upwards become columns leftwards, whose updates are parallel.
func.func @backward(%u: memref<?x?xi32>, %x: memref<?xi32>) {
  %x_apart, %u_apart = memref.distinct_objects %x, %u : memref<?xi32>, memref<?x?xi32>
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xi32>
  affine.for %k = 0 to %n {
    %i = affine.apply affine_map<(d0)[s0] -> (s0 - 1 - d0)>(%k)[%n]
    %c = affine.load %x_apart[%i] : memref<?xi32>
    %s = affine.for %j = affine_map<(d0) -> (d0 + 1)>(%i) to %n iter_args(%acc = %c) -> i32 {
      %a = affine.load %u_apart[%i, %j] : memref<?x?xi32>
      %b = affine.load %x_apart[%j] : memref<?xi32>
      %p = arith.muli %a, %b : i32
      %d = arith.subi %acc, %p : i32
      affine.yield %d : i32
    }
    %a = affine.load %u_apart[%i, %i] : memref<?x?xi32>
    %q = arith.muli %s, %a : i32
    affine.store %q, %x_apart[%i] : memref<?xi32>
  }
  return
}

// No loop is parallel until the nest is skewed.
func.func @wave(%a: memref<300x300xi32>) {
  affine.for %i = 1 to 300 {
    affine.for %j = 1 to 300 {
      %x = affine.load %a[%i - 1, %j] : memref<300x300xi32>
      %y = affine.load %a[%i, %j - 1] : memref<300x300xi32>
      %s = arith.addi %x, %y : i32
      affine.store %s, %a[%i, %j] : memref<300x300xi32>
    }
  }
  return
}

// Each iteration gets a temporary of its own.
func.func @temporary(%a: memref<20xi32>, %b: memref<20xi32>) {
  %b_apart, %a_apart = memref.distinct_objects %b, %a : memref<20xi32>, memref<20xi32>
  %t = memref.alloca() : memref<4xi32>
  affine.for %i = 0 to 20 {
    affine.for %k = 0 to 4 {
      %x = affine.load %a_apart[%i] : memref<20xi32>
      %d = arith.addi %x, %x : i32
      affine.store %d, %t[%k] : memref<4xi32>
    }
    %x = affine.load %t[0] : memref<4xi32>
    %y = affine.load %t[3] : memref<4xi32>
    %s = arith.addi %x, %y : i32
    affine.store %s, %b_apart[%i] : memref<20xi32>
  }
  return
}

// Partial sums in parallel, then their sum.
func.func @total(%a: memref<4096xi32>, %b: memref<1xi32>) {
  %zero = arith.constant 0 : i32
  %s = affine.for %i = 0 to 4096 iter_args(%acc = %zero) -> i32 {
    %x = affine.load %a[%i] : memref<4096xi32>
    %t = arith.addi %acc, %x : i32
    affine.yield %t : i32
  }
  affine.store %s, %b[0] : memref<1xi32>
  return
}

// Each iteration needs the one before: the loop stays as it is.
func.func @recurrence(%a: memref<20xi32>) {
  affine.for %i = 1 to 20 {
    %x = affine.load %a[%i - 1] : memref<20xi32>
    %y = arith.muli %x, %x : i32
    %z = affine.load %a[%i] : memref<20xi32>
    %s = arith.xori %y, %z : i32
    affine.store %s, %a[%i] : memref<20xi32>
  }
  return
}
