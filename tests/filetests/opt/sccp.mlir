// test: opt --sccp
// test: run-opt --entry=carried --arg=5
// expect: result 0 = 3
// expect: result 1 = 14
// test: run-opt --entry=branches --arg=1
// expect: result 0 = 7
// test: run-opt --entry=branches --arg=0
// expect: result 0 = 7
// test: run-opt --entry=never --arg=4
// expect: result 0 = 8
// test: run-opt --entry=around --arg=6
// expect: result 0 = 1
// test: run-opt --entry=varies --arg=1 --arg=2
// test: run-opt --entry=varies --arg=0 --arg=2
// test: run-opt --entry=faults --arg=0

// %s is 3 from the start and stays so; %t grows. No fold of one operation sees the first.
func.func @carried(%n: index) -> (i32, i32) {
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %r:2 = affine.for %i = 0 to %n iter_args(%s = %c3, %t = %c4) -> (i32, i32) {
    %p = arith.muli %s, %c1 : i32
    %q = arith.addi %p, %c3 : i32
    %u = arith.subi %q, %c4 : i32
    %v = arith.addi %t, %u : i32
    affine.yield %p, %v : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

// Both branches pass 7 on.
func.func @branches(%p: i1) -> i32 {
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  cf.cond_br %p, ^left, ^right
^left:
  %x = arith.addi %c3, %c4 : i32
  cf.br ^end(%x : i32)
^right:
  %c7 = arith.constant 7 : i32
  cf.br ^end(%c7 : i32)
^end(%y: i32):
  return %y : i32
}

// The second branch is never taken, so that what it passes on says nothing.
func.func @never(%x: i32) -> i32 {
  %c8 = arith.constant 8 : i32
  %c3 = arith.constant 3 : i32
  %p = arith.cmpi slt, %c3, %c8 : i32
  %r = scf.if %p -> i32 {
    scf.yield %c8 : i32
  } else {
    scf.yield %x : i32
  }
  return %r : i32
}

// The flag is true in the first iteration, and only then could it become false.
func.func @around(%n: index) -> i32 {
  %true = arith.constant true
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f = affine.for %i = 0 to %n iter_args(%flag = %true) -> i1 {
    %next = scf.if %flag -> i1 {
      scf.yield %true : i1
    } else {
      %other = arith.constant false
      scf.yield %other : i1
    }
    affine.yield %next : i1
  }
  %r = arith.select %f, %c1, %c0 : i32
  return %r : i32
}

// Two constants that differ are none.
func.func @varies(%p: i1, %n: index) -> (i32, i32) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %r = scf.if %p -> i32 {
    scf.yield %c1 : i32
  } else {
    scf.yield %c2 : i32
  }
  %s = affine.for %i = 0 to %n iter_args(%t = %c1) -> i32 {
    affine.yield %c2 : i32
  }
  return %r, %s : i32, i32
}

// What would fault is not computed.
func.func @faults(%p: i1) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.if %p -> i32 {
    %q = arith.divsi %c1, %c0 : i32
    scf.yield %q : i32
  } else {
    scf.yield %c1 : i32
  }
  return %r : i32
}
