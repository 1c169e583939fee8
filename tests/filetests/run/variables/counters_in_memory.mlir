// Every variable of the source program in memory, its loop counters too, as front ends of C leave them.
// test: run --entry=pairs --arg=iota[40] --arg=40
// expect: arg 0 = [0, 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11, 14, 13, 16, 15, 18, 17, 20, 19, 22, 21, 24, 23, 26, 25, 28, 27, 30, 29, 32, 31, 34, 33, 36, 35, 38, 37, 39]
// test: run --entry=backwards --arg=iota[6] --arg=zeros[6] --arg=6 --arg=2
// expect: arg 1 = [0, 0, 6, 4, 2, 0]
// test: explain
// test: run --entry=product --arg=random:1[17x9] --arg=random:2[9x13] --arg=zeros[17x13] --arg=17 --arg=13 --arg=9
// test: run --entry=smooth --arg=random:1[50] --arg=zeros[50] --arg=50 --arg=4
// test: run --entry=remainders --arg=random:1[200] --arg=zeros[7] --arg=200 --arg=7
// test: run --entry=flat --arg=random:1[77] --arg=random:2[35] --arg=zeros[55] --arg=11 --arg=5 --arg=7
// test: run --entry=paths --arg=random:1[25x25] --arg=25
// A product; the term has a guard.
func.func @product(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %n: i32, %p: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %x1 = arith.constant 0.0 : f32
  %x2 = arith.constant 0.25 : f32
  %c3 = arith.constant 1 : i32
  %0 = memref.alloca() : memref<i32>
  %1 = memref.alloca() : memref<i32>
  %2 = memref.alloca() : memref<i32>
  %3 = memref.alloca() : memref<f32>
  memref.store %c0, %0[] : memref<i32>
  scf.while : () -> () {
    %4 = memref.load %0[] : memref<i32>
    %5 = arith.cmpi slt, %4, %n : i32
    scf.condition(%5)
  } do {
    memref.store %c0, %1[] : memref<i32>
    scf.while : () -> () {
      %6 = memref.load %1[] : memref<i32>
      %7 = arith.cmpi slt, %6, %p : i32
      scf.condition(%7)
    } do {
      memref.store %x1, %3[] : memref<f32>
      memref.store %c0, %2[] : memref<i32>
      scf.while : () -> () {
        %8 = memref.load %2[] : memref<i32>
        %9 = arith.cmpi slt, %8, %m : i32
        scf.condition(%9)
      } do {
        %10 = memref.load %0[] : memref<i32>
        %11 = arith.index_cast %10 : i32 to index
        %12 = memref.load %2[] : memref<i32>
        %13 = arith.index_cast %12 : i32 to index
        %14 = memref.load %a[%11, %13] : memref<?x?xf32>
        %15 = arith.cmpf ogt, %14, %x2 : f32
        scf.if %15 {
          %16 = memref.load %3[] : memref<f32>
          %17 = memref.load %0[] : memref<i32>
          %18 = arith.index_cast %17 : i32 to index
          %19 = memref.load %2[] : memref<i32>
          %20 = arith.index_cast %19 : i32 to index
          %21 = memref.load %a[%18, %20] : memref<?x?xf32>
          %22 = memref.load %2[] : memref<i32>
          %23 = arith.index_cast %22 : i32 to index
          %24 = memref.load %1[] : memref<i32>
          %25 = arith.index_cast %24 : i32 to index
          %26 = memref.load %b[%23, %25] : memref<?x?xf32>
          %27 = arith.mulf %21, %26 : f32
          %28 = arith.addf %16, %27 : f32
          memref.store %28, %3[] : memref<f32>
        }
        %29 = memref.load %2[] : memref<i32>
        %30 = arith.addi %29, %c3 : i32
        memref.store %30, %2[] : memref<i32>
        scf.yield
      }
      %31 = memref.load %3[] : memref<f32>
      %32 = memref.load %0[] : memref<i32>
      %33 = arith.index_cast %32 : i32 to index
      %34 = memref.load %1[] : memref<i32>
      %35 = arith.index_cast %34 : i32 to index
      memref.store %31, %c[%33, %35] : memref<?x?xf32>
      %36 = memref.load %1[] : memref<i32>
      %37 = arith.addi %36, %c3 : i32
      memref.store %37, %1[] : memref<i32>
      scf.yield
    }
    %38 = memref.load %0[] : memref<i32>
    %39 = arith.addi %38, %c3 : i32
    memref.store %39, %0[] : memref<i32>
    scf.yield
  }
  return
}

// Bounds that each step computes anew.
func.func @smooth(%a: memref<?xf32>, %b: memref<?xf32>, %n: i32, %t: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x2 = arith.constant 0.25 : f32
  %x3 = arith.constant 0.5 : f32
  %0 = memref.alloca() : memref<i32>
  %1 = memref.alloca() : memref<i32>
  %2 = memref.alloca() : memref<i32>
  memref.store %c0, %0[] : memref<i32>
  scf.while : () -> () {
    %3 = memref.load %0[] : memref<i32>
    %4 = arith.cmpi slt, %3, %t : i32
    scf.condition(%4)
  } do {
    memref.store %c1, %2[] : memref<i32>
    scf.while : () -> () {
      %5 = memref.load %2[] : memref<i32>
      %6 = arith.subi %n, %c1 : i32
      %7 = arith.cmpi slt, %5, %6 : i32
      scf.condition(%7)
    } do {
      %8 = memref.load %2[] : memref<i32>
      %9 = arith.subi %8, %c1 : i32
      %10 = arith.index_cast %9 : i32 to index
      %11 = memref.load %a[%10] : memref<?xf32>
      %12 = arith.mulf %x2, %11 : f32
      %13 = memref.load %2[] : memref<i32>
      %14 = arith.index_cast %13 : i32 to index
      %15 = memref.load %a[%14] : memref<?xf32>
      %16 = arith.mulf %x3, %15 : f32
      %17 = arith.addf %12, %16 : f32
      %18 = memref.load %2[] : memref<i32>
      %19 = arith.addi %18, %c1 : i32
      %20 = arith.index_cast %19 : i32 to index
      %21 = memref.load %a[%20] : memref<?xf32>
      %22 = arith.mulf %x2, %21 : f32
      %23 = arith.addf %17, %22 : f32
      %24 = memref.load %2[] : memref<i32>
      %25 = arith.index_cast %24 : i32 to index
      memref.store %23, %b[%25] : memref<?xf32>
      %26 = memref.load %2[] : memref<i32>
      %27 = arith.addi %26, %c1 : i32
      memref.store %27, %2[] : memref<i32>
      scf.yield
    }
    memref.store %c1, %2[] : memref<i32>
    scf.while : () -> () {
      %28 = memref.load %2[] : memref<i32>
      %29 = arith.subi %n, %c1 : i32
      %30 = arith.cmpi slt, %28, %29 : i32
      scf.condition(%30)
    } do {
      %31 = memref.load %2[] : memref<i32>
      %32 = arith.index_cast %31 : i32 to index
      %33 = memref.load %b[%32] : memref<?xf32>
      %34 = memref.load %2[] : memref<i32>
      %35 = arith.index_cast %34 : i32 to index
      memref.store %33, %a[%35] : memref<?xf32>
      %36 = memref.load %2[] : memref<i32>
      %37 = arith.addi %36, %c1 : i32
      memref.store %37, %2[] : memref<i32>
      scf.yield
    }
    %38 = memref.load %0[] : memref<i32>
    %39 = arith.addi %38, %c1 : i32
    memref.store %39, %0[] : memref<i32>
    scf.yield
  }
  return
}

// Counts of remainders; the element is computed for the load and for the store.
func.func @remainders(%x: memref<?xi32>, %h: memref<?xi32>, %n: i32, %q: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0 = memref.alloca() : memref<i32>
  %1 = memref.alloca() : memref<i32>
  memref.store %c0, %0[] : memref<i32>
  scf.while : () -> () {
    %2 = memref.load %0[] : memref<i32>
    %3 = arith.cmpi slt, %2, %n : i32
    scf.condition(%3)
  } do {
    %4 = memref.load %0[] : memref<i32>
    %5 = arith.index_cast %4 : i32 to index
    %6 = memref.load %x[%5] : memref<?xi32>
    %7 = arith.remsi %6, %q : i32
    memref.store %7, %1[] : memref<i32>
    %8 = memref.load %1[] : memref<i32>
    %9 = arith.cmpi slt, %8, %c0 : i32
    scf.if %9 {
      %10 = memref.load %1[] : memref<i32>
      %11 = arith.addi %10, %q : i32
      memref.store %11, %1[] : memref<i32>
    }
    %12 = memref.load %1[] : memref<i32>
    %13 = arith.index_cast %12 : i32 to index
    %14 = memref.load %h[%13] : memref<?xi32>
    %15 = arith.addi %14, %c1 : i32
    %16 = memref.load %1[] : memref<i32>
    %17 = arith.index_cast %16 : i32 to index
    memref.store %15, %h[%17] : memref<?xi32>
    %18 = memref.load %0[] : memref<i32>
    %19 = arith.addi %18, %c1 : i32
    memref.store %19, %0[] : memref<i32>
    scf.yield
  }
  return
}

// Subscripts of 64 bits, computed as an index is.
func.func @flat(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %n: i64, %p: i64, %m: i64) {
  %c0 = arith.constant 0 : i64
  %x1 = arith.constant 0.0 : f32
  %c2 = arith.constant 1 : i64
  %0 = memref.alloca() : memref<i64>
  %1 = memref.alloca() : memref<i64>
  %2 = memref.alloca() : memref<i64>
  %3 = memref.alloca() : memref<f32>
  memref.store %c0, %0[] : memref<i64>
  scf.while : () -> () {
    %4 = memref.load %0[] : memref<i64>
    %5 = arith.cmpi slt, %4, %n : i64
    scf.condition(%5)
  } do {
    memref.store %c0, %1[] : memref<i64>
    scf.while : () -> () {
      %6 = memref.load %1[] : memref<i64>
      %7 = arith.cmpi slt, %6, %p : i64
      scf.condition(%7)
    } do {
      memref.store %x1, %3[] : memref<f32>
      memref.store %c0, %2[] : memref<i64>
      scf.while : () -> () {
        %8 = memref.load %2[] : memref<i64>
        %9 = arith.cmpi slt, %8, %m : i64
        scf.condition(%9)
      } do {
        %10 = memref.load %3[] : memref<f32>
        %11 = memref.load %0[] : memref<i64>
        %12 = arith.muli %11, %m : i64
        %13 = memref.load %2[] : memref<i64>
        %14 = arith.addi %12, %13 : i64
        %15 = arith.index_cast %14 : i64 to index
        %16 = memref.load %a[%15] : memref<?xf32>
        %17 = memref.load %2[] : memref<i64>
        %18 = arith.muli %17, %p : i64
        %19 = memref.load %1[] : memref<i64>
        %20 = arith.addi %18, %19 : i64
        %21 = arith.index_cast %20 : i64 to index
        %22 = memref.load %b[%21] : memref<?xf32>
        %23 = arith.mulf %16, %22 : f32
        %24 = arith.addf %10, %23 : f32
        memref.store %24, %3[] : memref<f32>
        %25 = memref.load %2[] : memref<i64>
        %26 = arith.addi %25, %c2 : i64
        memref.store %26, %2[] : memref<i64>
        scf.yield
      }
      %27 = memref.load %3[] : memref<f32>
      %28 = memref.load %0[] : memref<i64>
      %29 = arith.muli %28, %p : i64
      %30 = memref.load %1[] : memref<i64>
      %31 = arith.addi %29, %30 : i64
      %32 = arith.index_cast %31 : i64 to index
      memref.store %27, %c[%32] : memref<?xf32>
      %33 = memref.load %1[] : memref<i64>
      %34 = arith.addi %33, %c2 : i64
      memref.store %34, %1[] : memref<i64>
      scf.yield
    }
    %35 = memref.load %0[] : memref<i64>
    %36 = arith.addi %35, %c2 : i64
    memref.store %36, %0[] : memref<i64>
    scf.yield
  }
  return
}

// Every second iteration, up to the bound itself.
func.func @pairs(%x: memref<?xf32>, %n: i32) {
  %c0 = arith.constant 1 : i32
  %c1 = arith.constant 2 : i32
  %0 = memref.alloca() : memref<i32>
  %1 = memref.alloca() : memref<f32>
  memref.store %c0, %0[] : memref<i32>
  scf.while : () -> () {
    %2 = memref.load %0[] : memref<i32>
    %3 = arith.subi %n, %c1 overflow<nsw> : i32
    %4 = arith.cmpi sle, %2, %3 : i32
    scf.condition(%4)
  } do {
    %5 = memref.load %0[] : memref<i32>
    %6 = arith.index_cast %5 : i32 to index
    %7 = memref.load %x[%6] : memref<?xf32>
    memref.store %7, %1[] : memref<f32>
    %8 = memref.load %0[] : memref<i32>
    %9 = arith.addi %8, %c0 overflow<nsw> : i32
    %10 = arith.index_cast %9 : i32 to index
    %11 = memref.load %x[%10] : memref<?xf32>
    %12 = memref.load %0[] : memref<i32>
    %13 = arith.index_cast %12 : i32 to index
    memref.store %11, %x[%13] : memref<?xf32>
    %14 = memref.load %1[] : memref<f32>
    %15 = memref.load %0[] : memref<i32>
    %16 = arith.addi %15, %c0 overflow<nsw> : i32
    %17 = arith.index_cast %16 : i32 to index
    memref.store %14, %x[%17] : memref<?xf32>
    %18 = memref.load %0[] : memref<i32>
    %19 = arith.addi %18, %c1 overflow<nsw> : i32
    memref.store %19, %0[] : memref<i32>
    scf.yield
  }
  return
}

// Down to a bound that it reaches.
func.func @backwards(%x: memref<?xf32>, %y: memref<?xf32>, %n: i32, %low: i32) {
  %c0 = arith.constant 1 : i32
  %x1 = arith.constant 2.0 : f32
  %0 = memref.alloca() : memref<i32>
  %1 = arith.subi %n, %c0 overflow<nsw> : i32
  memref.store %1, %0[] : memref<i32>
  scf.while : () -> () {
    %2 = memref.load %0[] : memref<i32>
    %3 = arith.cmpi sge, %2, %low : i32
    scf.condition(%3)
  } do {
    %4 = arith.subi %n, %c0 overflow<nsw> : i32
    %5 = memref.load %0[] : memref<i32>
    %6 = arith.subi %4, %5 overflow<nsw> : i32
    %7 = arith.index_cast %6 : i32 to index
    %8 = memref.load %x[%7] : memref<?xf32>
    %9 = arith.mulf %x1, %8 : f32
    %10 = memref.load %0[] : memref<i32>
    %11 = arith.index_cast %10 : i32 to index
    memref.store %9, %y[%11] : memref<?xf32>
    %12 = memref.load %0[] : memref<i32>
    %13 = arith.subi %12, %c0 overflow<nsw> : i32
    memref.store %13, %0[] : memref<i32>
    scf.yield
  }
  return
}

// Shortest paths: a store under a condition, in loops that are split where their counters meet.
func.func @paths(%d: memref<?x?xf32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0 = memref.alloca() : memref<i32>
  %1 = memref.alloca() : memref<i32>
  %2 = memref.alloca() : memref<i32>
  %3 = memref.alloca() : memref<f32>
  memref.store %c0, %0[] : memref<i32>
  scf.while : () -> () {
    %4 = memref.load %0[] : memref<i32>
    %5 = arith.cmpi slt, %4, %n : i32
    scf.condition(%5)
  } do {
    memref.store %c0, %1[] : memref<i32>
    scf.while : () -> () {
      %6 = memref.load %1[] : memref<i32>
      %7 = arith.cmpi slt, %6, %n : i32
      scf.condition(%7)
    } do {
      memref.store %c0, %2[] : memref<i32>
      scf.while : () -> () {
        %8 = memref.load %2[] : memref<i32>
        %9 = arith.cmpi slt, %8, %n : i32
        scf.condition(%9)
      } do {
        %10 = memref.load %1[] : memref<i32>
        %11 = arith.index_cast %10 : i32 to index
        %12 = memref.load %0[] : memref<i32>
        %13 = arith.index_cast %12 : i32 to index
        %14 = memref.load %d[%11, %13] : memref<?x?xf32>
        %15 = memref.load %0[] : memref<i32>
        %16 = arith.index_cast %15 : i32 to index
        %17 = memref.load %2[] : memref<i32>
        %18 = arith.index_cast %17 : i32 to index
        %19 = memref.load %d[%16, %18] : memref<?x?xf32>
        %20 = arith.addf %14, %19 : f32
        memref.store %20, %3[] : memref<f32>
        %21 = memref.load %3[] : memref<f32>
        %22 = memref.load %1[] : memref<i32>
        %23 = arith.index_cast %22 : i32 to index
        %24 = memref.load %2[] : memref<i32>
        %25 = arith.index_cast %24 : i32 to index
        %26 = memref.load %d[%23, %25] : memref<?x?xf32>
        %27 = arith.cmpf olt, %21, %26 : f32
        scf.if %27 {
          %28 = memref.load %3[] : memref<f32>
          %29 = memref.load %1[] : memref<i32>
          %30 = arith.index_cast %29 : i32 to index
          %31 = memref.load %2[] : memref<i32>
          %32 = arith.index_cast %31 : i32 to index
          memref.store %28, %d[%30, %32] : memref<?x?xf32>
        }
        %33 = memref.load %2[] : memref<i32>
        %34 = arith.addi %33, %c1 : i32
        memref.store %34, %2[] : memref<i32>
        scf.yield
      }
      %35 = memref.load %1[] : memref<i32>
      %36 = arith.addi %35, %c1 : i32
      memref.store %36, %1[] : memref<i32>
      scf.yield
    }
    %37 = memref.load %0[] : memref<i32>
    %38 = arith.addi %37, %c1 : i32
    memref.store %38, %0[] : memref<i32>
    scf.yield
  }
  return
}
