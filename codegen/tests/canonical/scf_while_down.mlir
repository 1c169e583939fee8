// test: canonical
func.func private @tick()
func.func private @see(i32)
func.func private @next(i32) -> i32
func.func private @more(i32) -> i1

func.func @work_under_condition(%n: i32) -> i32 {
  %r = scf.while (%i = %n) : (i32) -> i32 {
    %c = func.call @more(%i) : (i32) -> i1
    %v = scf.if %c -> i32 {
      %w = func.call @next(%i) : (i32) -> i32
      scf.yield %w : i32
    } else {
      scf.yield %i : i32
    }
    scf.condition(%c) %v : i32
  } do {
  ^bb0(%p: i32):
    %q = func.call @next(%p) : (i32) -> i32
    scf.yield %q : i32
  }
  return %r : i32
}

func.func @takes_more(%n: i32, %k: i32) -> i32 {
  %r = scf.while (%i = %n) : (i32) -> i32 {
    %a = func.call @next(%i) : (i32) -> i32
    %b = func.call @next(%a) : (i32) -> i32
    %c = func.call @more(%b) : (i32) -> i1
    %v = scf.if %c -> i32 {
      %s = arith.addi %a, %k : i32
      scf.execute_region no_inline {
        func.call @see(%b) : (i32) -> ()
        scf.yield
      }
      scf.yield %s : i32
    } else {
      scf.yield %b : i32
    }
    scf.condition(%c) %v : i32
  } do {
  ^bb0(%p: i32):
    func.call @tick() : () -> ()
    scf.yield %p : i32
  }
  return %r : i32
}

func.func @no_value(%n: i32) {
  scf.while (%i = %n) : (i32) -> () {
    %c = func.call @more(%i) : (i32) -> i1
    scf.if %c {
      func.call @see(%i) : (i32) -> ()
    }
    scf.condition(%c)
  } do {
    func.call @tick() : () -> ()
    scf.yield %n : i32
  }
  return
}

func.func @other_branch_works(%n: i32) {
  scf.while (%i = %n) : (i32) -> () {
    %c = func.call @more(%i) : (i32) -> i1
    scf.if %c {
      func.call @see(%i) : (i32) -> ()
    } else {
      func.call @tick() : () -> ()
    }
    scf.condition(%c)
  } do {
    %x = func.call @next(%n) : (i32) -> i32
    scf.yield %x : i32
  }
  return
}

func.func @counts(%n: i32, %out: memref<8xi32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %p0 = arith.constant 0 : index
  %r = scf.while (%i = %c0) : (i32) -> i32 {
    %c = arith.cmpi slt, %i, %c5 : i32
    %v = scf.if %c -> i32 {
      %w = arith.addi %i, %n : i32
      memref.store %w, %out[%p0] : memref<8xi32>
      %v1 = arith.addi %i, %i : i32
      scf.yield %v1 : i32
    } else {
      scf.yield %n : i32
    }
    scf.condition(%c) %v : i32
  } do {
  ^bb0(%p: i32):
    %q = arith.addi %p, %c1 : i32
    scf.yield %q : i32
  }
  return %r : i32
}

func.func @in_order(%a: i32, %b: i64) -> (i64, i32) {
  %r:2 = scf.while (%x = %a, %y = %b) : (i32, i64) -> (i64, i32) {
    %c = func.call @more(%x) : (i32) -> i1
    scf.condition(%c) %y, %x : i64, i32
  } do {
  ^bb0(%y: i64, %x: i32):
    %n = func.call @next(%x) : (i32) -> i32
    %e = arith.extsi %n : i32 to i64
    %s = arith.addi %e, %y : i64
    scf.yield %n, %s : i32, i64
  }
  return %r#0, %r#1 : i64, i32
}

func.func @not_all_in_order(%a: i32, %b: i32) -> (i32, i32) {
  %r:2 = scf.while (%x = %a, %y = %b) : (i32, i32) -> (i32, i32) {
    %c = func.call @more(%x) : (i32) -> i1
    %s = arith.addi %x, %y : i32
    scf.condition(%c) %y, %s : i32, i32
  } do {
  ^bb0(%y: i32, %x: i32):
    %n = func.call @next(%x) : (i32) -> i32
    scf.yield %n, %y : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

func.func @twice_the_same(%a: i32) -> (i32, i32) {
  %c1 = arith.constant 1 : i32
  %c9 = arith.constant 9 : i32
  %r:2 = scf.while (%x = %c1, %y = %c1) : (i32, i32) -> (i32, i32) {
    %c = arith.cmpi slt, %x, %c9 : i32
    scf.condition(%c) %x, %y : i32, i32
  } do {
  ^bb0(%p: i32, %q: i32):
    %s = arith.addi %p, %q : i32
    scf.yield %s, %s : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}
