// What C loops keep of the elements that meet a condition: the place of the last one, the place of the first by a number that is
// still negative, place and value of the first by a flag in memory, and by a Boolean, which may be set before; beside them a sum.
// The expected values are those of Python over the list (7 * i + 3) % 11: 5 is last at 4999 and first at 5, 455 times, the
// first number from 9 on is 10 at 1, and there is no 11.
// test: run --entry=main --arg=zeros[5000] --arg=zeros[8]
// expect: arg 1 = [4999, 5, 1, 10, -1, 2275, 5, -1]
func.func private @last(%a: memref<?xi32>, %key: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant -1 : i32
  %n = memref.dim %a, %c0 : memref<?xi32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %none) -> i32 {
    %x = memref.load %a[%i] : memref<?xi32>
    %hit = arith.cmpi eq, %x, %key : i32
    %at = arith.index_cast %i : index to i32
    %q = scf.if %hit -> i32 {
      scf.yield %at : i32
    } else {
      scf.yield %p : i32
    }
    scf.yield %q : i32
  }
  return %r : i32
}
func.func private @first(%a: memref<?xi32>, %key: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %none = arith.constant -1 : i32
  %n = memref.dim %a, %c0 : memref<?xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %none, %s = %zero) -> (i32, i32) {
    %x = memref.load %a[%i] : memref<?xi32>
    %hit = arith.cmpi eq, %x, %key : i32
    %at = arith.index_cast %i : index to i32
    %unset = arith.cmpi slt, %p, %zero : i32
    %takes = arith.andi %unset, %hit : i1
    %q = arith.select %takes, %at, %p : i32
    %part = arith.select %hit, %x, %zero : i32
    %sum = arith.addi %s, %part : i32
    scf.yield %q, %sum : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}
// The flag in memory, as a variable of C.
func.func private @first_by_flag(%a: memref<?xi32>, %least: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant -1 : i32
  %found = memref.alloca() : memref<i32>
  memref.store %zero, %found[] : memref<i32>
  %n = memref.dim %a, %c0 : memref<?xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %none, %v = %none) -> (i32, i32) {
    %x = memref.load %a[%i] : memref<?xi32>
    %f = memref.load %found[] : memref<i32>
    %unset = arith.cmpi eq, %f, %zero : i32
    %hit = arith.cmpi sge, %x, %least : i32
    %takes = arith.andi %hit, %unset : i1
    %at = arith.index_cast %i : index to i32
    %q = arith.select %takes, %at, %p : i32
    %w = arith.select %takes, %x, %v : i32
    %g = arith.select %takes, %one, %f : i32
    memref.store %g, %found[] : memref<i32>
    scf.yield %q, %w : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}
// The flag a Boolean, set by a disjunction.
func.func private @first_by_boolean(%a: memref<?xi32>, %key: i32, %set: i1) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant -1 : i32
  %true = arith.constant true
  %n = memref.dim %a, %c0 : memref<?xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%f = %set, %p = %none) -> (i1, i32) {
    %x = memref.load %a[%i] : memref<?xi32>
    %hit = arith.cmpi eq, %x, %key : i32
    %not = arith.xori %f, %true : i1
    %takes = arith.andi %not, %hit : i1
    %at = arith.index_cast %i : index to i32
    %q = arith.select %takes, %at, %p : i32
    %g = arith.ori %f, %hit : i1
    scf.yield %g, %q : i1, i32
  }
  return %r#1 : i32
}
func.func @main(%a: memref<?xi32>, %out: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %three = arith.constant 3 : i32
  %five = arith.constant 5 : i32
  %seven = arith.constant 7 : i32
  %nine = arith.constant 9 : i32
  %ten = arith.constant 10 : i32
  %eleven = arith.constant 11 : i32
  %false = arith.constant false
  %true = arith.constant true
  %n = memref.dim %a, %c0 : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %x = arith.index_cast %i : index to i32
    %p = arith.muli %x, %seven : i32
    %s = arith.addi %p, %three : i32
    %r = arith.remui %s, %eleven : i32
    memref.store %r, %a[%i] : memref<?xi32>
  }
  %r0 = func.call @last(%a, %five) : (memref<?xi32>, i32) -> i32
  memref.store %r0, %out[%c0] : memref<?xi32>
  %r1:2 = func.call @first(%a, %five) : (memref<?xi32>, i32) -> (i32, i32)
  memref.store %r1#0, %out[%c1] : memref<?xi32>
  %r2:2 = func.call @first_by_flag(%a, %nine) : (memref<?xi32>, i32) -> (i32, i32)
  memref.store %r2#0, %out[%c2] : memref<?xi32>
  memref.store %r2#1, %out[%c3] : memref<?xi32>
  %r4 = func.call @first_by_boolean(%a, %ten, %true) : (memref<?xi32>, i32, i1) -> i32
  memref.store %r4, %out[%c4] : memref<?xi32>
  memref.store %r1#1, %out[%c5] : memref<?xi32>
  %r6 = func.call @first_by_boolean(%a, %five, %false) : (memref<?xi32>, i32, i1) -> i32
  memref.store %r6, %out[%c6] : memref<?xi32>
  %r7 = func.call @last(%a, %eleven) : (memref<?xi32>, i32) -> i32
  memref.store %r7, %out[%c7] : memref<?xi32>
  return
}
