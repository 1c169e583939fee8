// test: canonical
func.func private @use(i32)
func.func private @ask(i1)

func.func @known(%x: i32, %y: i32) -> i32 {
  %true = arith.constant true
  %r = scf.if %true -> i32 {
    func.call @use(%x) : (i32) -> ()
    scf.yield %x : i32
  } else {
    scf.yield %y : i32
  }
  return %r : i32
}

func.func @chosen(%c: i1, %x: i32, %y: i32) -> (i32, i32) {
  %r:2 = scf.if %c -> (i32, i32) {
    func.call @use(%x) : (i32) -> ()
    %s = arith.addi %x, %y : i32
    scf.yield %x, %s : i32, i32
  } else {
    scf.yield %y, %y : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

func.func @unused(%c: i1, %x: i32) -> i32 {
  %r:2 = scf.if %c -> (i32, i32) {
    func.call @use(%x) : (i32) -> ()
    %s = arith.addi %x, %x : i32
    %t = arith.muli %x, %x : i32
    scf.yield %s, %t : i32, i32
  } else {
    scf.yield %x, %x : i32, i32
  }
  return %r#1 : i32
}

func.func @empty_else(%c: i1, %x: i32) {
  scf.if %c {
    func.call @use(%x) : (i32) -> ()
  } else {
  }
  return
}

func.func @negated(%c: i1, %x: i32, %y: i32) {
  %true = arith.constant true
  %n = arith.xori %c, %true : i1
  scf.if %n {
    func.call @use(%x) : (i32) -> ()
  } else {
    func.call @use(%y) : (i32) -> ()
  }
  return
}

func.func @nested(%a: i1, %b: i1, %x: i32) {
  scf.if %a {
    scf.if %b {
      func.call @use(%x) : (i32) -> ()
    }
  }
  return
}

func.func @known_inside(%c: i1, %d: i1, %x: i32) {
  scf.if %c {
    func.call @ask(%c) : (i1) -> ()
    scf.if %d {
      func.call @ask(%c) : (i1) -> ()
    } else {
      func.call @ask(%d) : (i1) -> ()
    }
  } else {
    func.call @ask(%c) : (i1) -> ()
    scf.if %c {
      func.call @use(%x) : (i32) -> ()
    }
  }
  return
}

func.func @as_condition(%c: i1) -> (i1, i1) {
  %true = arith.constant true
  %false = arith.constant false
  %r:2 = scf.if %c -> (i1, i1) {
    scf.yield %true, %false : i1, i1
  } else {
    scf.yield %false, %true : i1, i1
  }
  return %r#0, %r#1 : i1, i1
}
