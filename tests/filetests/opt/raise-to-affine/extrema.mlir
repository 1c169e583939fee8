// A comparison and a selection of the same two integers are an extremum, also where what is compared is a counter.
// test: opt --raise-to-affine
// test: run-opt --entry=box --arg=iota --arg=zeros
// expect: arg 1 = [2, 8, 1, 5, 15]
// test: run-opt --entry=predicates --arg=-3 --arg=2
// expect: result 0 = -3
// expect: result 1 = 2
// expect: result 2 = 2
// expect: result 3 = -3
// expect: result 4 = 2
// test: run-opt --entry=kept --arg=iota
// expect: result 0 = 1
// expect: result 1 = 9

// Bounding box and number of the points whose remainder by 7 is below 3, in columns and rows that are neither first nor last.
func.func @box(%a: memref<7x10xi32>, %o: memref<5xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %below = arith.constant 3 : i32
  %seven = arith.constant 7 : i32
  %least = arith.constant -1 : i32
  %most = arith.constant 100 : i32
  %s:5 = scf.for %i = %c1 to %c6 step %c1
      iter_args(%x0 = %most, %x1 = %least, %y0 = %most, %y1 = %least, %n = %zero) -> (i32, i32, i32, i32, i32) {
    %y = arith.index_cast %i : index to i32
    %t:5 = scf.for %j = %c2 to %c9 step %c1
        iter_args(%a0 = %x0, %a1 = %x1, %b0 = %y0, %b1 = %y1, %m = %n) -> (i32, i32, i32, i32, i32) {
      %x = arith.index_cast %j : index to i32
      %v = memref.load %a[%i, %j] : memref<7x10xi32>
      %r = arith.remsi %v, %seven : i32
      %is = arith.cmpi slt, %r, %below : i32
      %u:5 = scf.if %is -> (i32, i32, i32, i32, i32) {
        %p = arith.cmpi slt, %x, %a0 : i32
        %c = arith.select %p, %x, %a0 : i32
        %q = arith.cmpi sgt, %x, %a1 : i32
        %d = arith.select %q, %x, %a1 : i32
        %k = arith.cmpi slt, %b0, %y : i32
        %e = arith.select %k, %b0, %y : i32
        %l = arith.cmpi sle, %y, %b1 : i32
        %f = arith.select %l, %b1, %y : i32
        %g = arith.addi %m, %one : i32
        scf.yield %c, %d, %e, %f, %g : i32, i32, i32, i32, i32
      } else {
        scf.yield %a0, %a1, %b0, %b1, %m : i32, i32, i32, i32, i32
      }
      scf.yield %u#0, %u#1, %u#2, %u#3, %u#4 : i32, i32, i32, i32, i32
    }
    scf.yield %t#0, %t#1, %t#2, %t#3, %t#4 : i32, i32, i32, i32, i32
  }
  memref.store %s#0, %o[%c0] : memref<5xi32>
  memref.store %s#1, %o[%c1] : memref<5xi32>
  memref.store %s#2, %o[%c2] : memref<5xi32>
  memref.store %s#3, %o[%c3] : memref<5xi32>
  memref.store %s#4, %o[%c4] : memref<5xi32>
  return
}

// Signed and unsigned, either number selected; the last selection is of the greater number by an inverted test. Only functions with
// loops are raised.
func.func @predicates(%x: i32, %y: i32) -> (i32, i32, i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:5 = scf.for %i = %c0 to %c1 step %c1
      iter_args(%v0 = %x, %v1 = %x, %v2 = %x, %v3 = %x, %v4 = %x) -> (i32, i32, i32, i32, i32) {
    %p = arith.cmpi sle, %x, %y : i32
    %a = arith.select %p, %x, %y : i32
    %q = arith.cmpi sge, %y, %x : i32
    %b = arith.select %q, %y, %x : i32
    %s = arith.cmpi ult, %x, %y : i32
    %c = arith.select %s, %x, %y : i32
    %t = arith.cmpi ugt, %x, %y : i32
    %d = arith.select %t, %x, %y : i32
    %u = arith.cmpi slt, %y, %x : i32
    %e = arith.select %u, %x, %y : i32
    scf.yield %a, %b, %c, %d, %e : i32, i32, i32, i32, i32
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4 : i32, i32, i32, i32, i32
}

// The comparison also selects where the extremum was found; equality and other numbers select no extremum.
func.func @kept(%a: memref<10xi32>) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %first = arith.constant 8 : i32
  %zero = arith.constant 0 : i32
  %r:2 = scf.for %i = %c0 to %c10 step %c1 iter_args(%best = %first, %at = %zero) -> (i32, i32) {
    %v = memref.load %a[%i] : memref<10xi32>
    %n = arith.index_cast %i : index to i32
    %p = arith.cmpi sgt, %v, %best : i32
    %b = arith.select %p, %v, %best : i32
    %t = arith.select %p, %n, %at : i32
    scf.yield %b, %t : i32, i32
  }
  %q = arith.cmpi eq, %r#0, %r#1 : i32
  %s = arith.select %q, %r#0, %r#1 : i32
  %d = arith.subi %s, %first : i32
  return %d, %s : i32, i32
}
