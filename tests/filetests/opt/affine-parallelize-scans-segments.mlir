// test: opt --affine-if-conversion --affine-parallelize-scans=target=cpu
// test: run-opt --entry=sums --arg=iota --arg=zeros
// expect: arg 1 = [100, 3, 7, 7672, 4, 9]
// test: run-opt --entry=branches --arg=iota --arg=zeros
// expect: arg 1 = [100, 3, 7, 7672, 4, 9]
// test: run-opt --entry=restarts --arg=iota --arg=zeros
// expect: arg 1 = [100, 8954, 8958, 3122, 13454, 13459]
// test: run-opt --entry=maxima --arg=iota --arg=zeros
// expect: arg 1 = [5, 74, 111, 999, 1000, 482, 1000]
// test: run-opt --entry=selected --arg=iota --arg=zeros
// expect: arg 1 = [5, 74, 111, 999, 1000, 482, 1000]
// test: run-opt --entry=floats --arg=iota --arg=zeros
// expect: arg 1 = [1.25, 0.5, 0.75, 639.5, 0.5, 0.75]
// test: run-opt --entry=left_where_the_value_decides --arg=iota --arg=zeros
// expect: arg 1 = [0, 972, 976, 619, 924, 929]
// The expected values are those of the same loops in Python.

// A segment begins after every 3000 elements.
func.func @sums(%a: memref<9001xi32>, %out: memref<6xi32>) {
  %x, %o = memref.distinct_objects %a, %out : memref<9001xi32>, memref<6xi32>
  %y = memref.alloc() : memref<9001xi32>
  %first = arith.constant 100 : i32
  %c3000 = arith.constant 3000 : i32
  %c2999 = arith.constant 2999 : i32
  %c7 = arith.constant 7 : i32
  %last = affine.for %i = 0 to 9001 iter_args(%s = %first) -> i32 {
    %n = affine.load %x[%i] : memref<9001xi32>
    %r = arith.remui %n, %c3000 : i32
    %head = arith.cmpi eq, %r, %c2999 : i32
    %v = arith.remui %n, %c7 : i32
    %t = arith.addi %s, %v : i32
    %m = arith.select %head, %v, %t : i32
    affine.store %m, %y[%i] : memref<9001xi32>
    affine.yield %m : i32
  }
  %p0 = affine.load %y[0] : memref<9001xi32>
  affine.store %p0, %o[0] : memref<6xi32>
  %p1 = affine.load %y[2999] : memref<9001xi32>
  affine.store %p1, %o[1] : memref<6xi32>
  %p2 = affine.load %y[3000] : memref<9001xi32>
  affine.store %p2, %o[2] : memref<6xi32>
  %p3 = affine.load %y[5555] : memref<9001xi32>
  affine.store %p3, %o[3] : memref<6xi32>
  %p4 = affine.load %y[8999] : memref<9001xi32>
  affine.store %p4, %o[4] : memref<6xi32>
  %p5 = affine.load %y[9000] : memref<9001xi32>
  affine.store %p5, %o[5] : memref<6xi32>
  memref.dealloc %y : memref<9001xi32>
  return
}

// The same, as a conditional.
func.func @branches(%a: memref<9001xi32>, %out: memref<6xi32>) {
  %x, %o = memref.distinct_objects %a, %out : memref<9001xi32>, memref<6xi32>
  %y = memref.alloc() : memref<9001xi32>
  %first = arith.constant 100 : i32
  %c3000 = arith.constant 3000 : i32
  %c2999 = arith.constant 2999 : i32
  %c7 = arith.constant 7 : i32
  %last = affine.for %i = 0 to 9001 iter_args(%s = %first) -> i32 {
    %n = affine.load %x[%i] : memref<9001xi32>
    %r = arith.remui %n, %c3000 : i32
    %head = arith.cmpi eq, %r, %c2999 : i32
    %v = arith.remui %n, %c7 : i32
    %m = scf.if %head -> i32 {
      scf.yield %v : i32
    } else {
      %t = arith.addi %s, %v : i32
      scf.yield %t : i32
    }
    affine.store %m, %y[%i] : memref<9001xi32>
    affine.yield %m : i32
  }
  %p0 = affine.load %y[0] : memref<9001xi32>
  affine.store %p0, %o[0] : memref<6xi32>
  %p1 = affine.load %y[2999] : memref<9001xi32>
  affine.store %p1, %o[1] : memref<6xi32>
  %p2 = affine.load %y[3000] : memref<9001xi32>
  affine.store %p2, %o[2] : memref<6xi32>
  %p3 = affine.load %y[5555] : memref<9001xi32>
  affine.store %p3, %o[3] : memref<6xi32>
  %p4 = affine.load %y[8999] : memref<9001xi32>
  affine.store %p4, %o[4] : memref<6xi32>
  %p5 = affine.load %y[9000] : memref<9001xi32>
  affine.store %p5, %o[5] : memref<6xi32>
  memref.dealloc %y : memref<9001xi32>
  return
}

// What the carried value is replaced by counts before the term does.
func.func @restarts(%a: memref<9001xi32>, %out: memref<6xi32>) {
  %x, %o = memref.distinct_objects %a, %out : memref<9001xi32>, memref<6xi32>
  %y = memref.alloc() : memref<9001xi32>
  %first = arith.constant 100 : i32
  %again = arith.constant 5 : i32
  %c4500 = arith.constant 4500 : i32
  %c17 = arith.constant 17 : i32
  %c7 = arith.constant 7 : i32
  %last = affine.for %i = 0 to 9001 iter_args(%s = %first) -> i32 {
    %n = affine.load %x[%i] : memref<9001xi32>
    %r = arith.remui %n, %c4500 : i32
    %goes_on = arith.cmpi ne, %r, %c17 : i32
    %v = arith.remui %n, %c7 : i32
    %from = arith.select %goes_on, %s, %again : i32
    %m = arith.addi %from, %v : i32
    affine.store %m, %y[%i] : memref<9001xi32>
    affine.yield %m : i32
  }
  %p0 = affine.load %y[0] : memref<9001xi32>
  affine.store %p0, %o[0] : memref<6xi32>
  %p1 = affine.load %y[2999] : memref<9001xi32>
  affine.store %p1, %o[1] : memref<6xi32>
  %p2 = affine.load %y[3000] : memref<9001xi32>
  affine.store %p2, %o[2] : memref<6xi32>
  %p3 = affine.load %y[5555] : memref<9001xi32>
  affine.store %p3, %o[3] : memref<6xi32>
  %p4 = affine.load %y[8999] : memref<9001xi32>
  affine.store %p4, %o[4] : memref<6xi32>
  %p5 = affine.load %y[9000] : memref<9001xi32>
  affine.store %p5, %o[5] : memref<6xi32>
  memref.dealloc %y : memref<9001xi32>
  return
}

// Maxima of segments.
func.func @maxima(%a: memref<9001xi32>, %out: memref<7xi32>) {
  %x, %o = memref.distinct_objects %a, %out : memref<9001xi32>, memref<7xi32>
  %y = memref.alloc() : memref<9001xi32>
  %first = arith.constant 5 : i32
  %c3500 = arith.constant 3500 : i32
  %c3 = arith.constant 3 : i32
  %c37 = arith.constant 37 : i32
  %c1001 = arith.constant 1001 : i32
  %last = affine.for %i = 0 to 9001 iter_args(%s = %first) -> i32 {
    %n = affine.load %x[%i] : memref<9001xi32>
    %r = arith.remui %n, %c3500 : i32
    %head = arith.cmpi eq, %r, %c3 : i32
    %w = arith.muli %n, %c37 : i32
    %v = arith.remui %w, %c1001 : i32
    %t = arith.maxsi %s, %v : i32
    %m = arith.select %head, %v, %t : i32
    affine.store %m, %y[%i] : memref<9001xi32>
    affine.yield %m : i32
  }
  %p0 = affine.load %y[0] : memref<9001xi32>
  affine.store %p0, %o[0] : memref<7xi32>
  %p1 = affine.load %y[2] : memref<9001xi32>
  affine.store %p1, %o[1] : memref<7xi32>
  %p2 = affine.load %y[3] : memref<9001xi32>
  affine.store %p2, %o[2] : memref<7xi32>
  %p3 = affine.load %y[50] : memref<9001xi32>
  affine.store %p3, %o[3] : memref<7xi32>
  %p4 = affine.load %y[3502] : memref<9001xi32>
  affine.store %p4, %o[4] : memref<7xi32>
  %p5 = affine.load %y[3503] : memref<9001xi32>
  affine.store %p5, %o[5] : memref<7xi32>
  %p6 = affine.load %y[9000] : memref<9001xi32>
  affine.store %p6, %o[6] : memref<7xi32>
  memref.dealloc %y : memref<9001xi32>
  return
}

// The same by comparison.
func.func @selected(%a: memref<9001xi32>, %out: memref<7xf32>) {
  %x, %o = memref.distinct_objects %a, %out : memref<9001xi32>, memref<7xf32>
  %y = memref.alloc() : memref<9001xf32>
  %first = arith.constant 5.0 : f32
  %c3500 = arith.constant 3500 : i32
  %c3 = arith.constant 3 : i32
  %c37 = arith.constant 37 : i32
  %c1001 = arith.constant 1001 : i32
  %last = affine.for %i = 0 to 9001 iter_args(%s = %first) -> f32 {
    %n = affine.load %x[%i] : memref<9001xi32>
    %r = arith.remui %n, %c3500 : i32
    %head = arith.cmpi eq, %r, %c3 : i32
    %w = arith.muli %n, %c37 : i32
    %u = arith.remui %w, %c1001 : i32
    %v = arith.uitofp %u : i32 to f32
    %more = arith.cmpf ogt, %v, %s : f32
    %t = arith.select %more, %v, %s : f32
    %m = arith.select %head, %v, %t : f32
    affine.store %m, %y[%i] : memref<9001xf32>
    affine.yield %m : f32
  }
  %p0 = affine.load %y[0] : memref<9001xf32>
  affine.store %p0, %o[0] : memref<7xf32>
  %p1 = affine.load %y[2] : memref<9001xf32>
  affine.store %p1, %o[1] : memref<7xf32>
  %p2 = affine.load %y[3] : memref<9001xf32>
  affine.store %p2, %o[2] : memref<7xf32>
  %p3 = affine.load %y[50] : memref<9001xf32>
  affine.store %p3, %o[3] : memref<7xf32>
  %p4 = affine.load %y[3502] : memref<9001xf32>
  affine.store %p4, %o[4] : memref<7xf32>
  %p5 = affine.load %y[3503] : memref<9001xf32>
  affine.store %p5, %o[5] : memref<7xf32>
  %p6 = affine.load %y[9000] : memref<9001xf32>
  affine.store %p6, %o[6] : memref<7xf32>
  memref.dealloc %y : memref<9001xf32>
  return
}

// Sums of floats, which are exact here.
func.func @floats(%a: memref<9001xi32>, %out: memref<6xf32>) {
  %x, %o = memref.distinct_objects %a, %out : memref<9001xi32>, memref<6xf32>
  %y = memref.alloc() : memref<9001xf32>
  %first = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %quarter = arith.constant 0.25 : f32
  %c3000 = arith.constant 3000 : i32
  %c2999 = arith.constant 2999 : i32
  %last = affine.for %i = 0 to 9001 iter_args(%s = %first) -> f32 {
    %n = affine.load %x[%i] : memref<9001xi32>
    %r = arith.remui %n, %c3000 : i32
    %head = arith.cmpi eq, %r, %c2999 : i32
    %t = arith.addf %s, %quarter : f32
    %m = arith.select %head, %half, %t : f32
    affine.store %m, %y[%i] : memref<9001xf32>
    affine.yield %m : f32
  }
  %p0 = affine.load %y[0] : memref<9001xf32>
  affine.store %p0, %o[0] : memref<6xf32>
  %p1 = affine.load %y[2999] : memref<9001xf32>
  affine.store %p1, %o[1] : memref<6xf32>
  %p2 = affine.load %y[3000] : memref<9001xf32>
  affine.store %p2, %o[2] : memref<6xf32>
  %p3 = affine.load %y[5555] : memref<9001xf32>
  affine.store %p3, %o[3] : memref<6xf32>
  %p4 = affine.load %y[8999] : memref<9001xf32>
  affine.store %p4, %o[4] : memref<6xf32>
  %p5 = affine.load %y[9000] : memref<9001xf32>
  affine.store %p5, %o[5] : memref<6xf32>
  memref.dealloc %y : memref<9001xf32>
  return
}

// The carried value decides where a segment begins.
func.func @left_where_the_value_decides(%a: memref<9001xi32>, %out: memref<6xi32>) {
  %x, %o = memref.distinct_objects %a, %out : memref<9001xi32>, memref<6xi32>
  %y = memref.alloc() : memref<9001xi32>
  %first = arith.constant 0 : i32
  %limit = arith.constant 1000 : i32
  %c7 = arith.constant 7 : i32
  %last = affine.for %i = 0 to 9001 iter_args(%s = %first) -> i32 {
    %n = affine.load %x[%i] : memref<9001xi32>
    %v = arith.remui %n, %c7 : i32
    %head = arith.cmpi sgt, %s, %limit : i32
    %t = arith.addi %s, %v : i32
    %m = arith.select %head, %v, %t : i32
    affine.store %m, %y[%i] : memref<9001xi32>
    affine.yield %m : i32
  }
  %p0 = affine.load %y[0] : memref<9001xi32>
  affine.store %p0, %o[0] : memref<6xi32>
  %p1 = affine.load %y[2999] : memref<9001xi32>
  affine.store %p1, %o[1] : memref<6xi32>
  %p2 = affine.load %y[3000] : memref<9001xi32>
  affine.store %p2, %o[2] : memref<6xi32>
  %p3 = affine.load %y[5555] : memref<9001xi32>
  affine.store %p3, %o[3] : memref<6xi32>
  %p4 = affine.load %y[8999] : memref<9001xi32>
  affine.store %p4, %o[4] : memref<6xi32>
  %p5 = affine.load %y[9000] : memref<9001xi32>
  affine.store %p5, %o[5] : memref<6xi32>
  memref.dealloc %y : memref<9001xi32>
  return
}
