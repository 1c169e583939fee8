// test: canonical
func.func private @side()
func.func private @usei(i32)

func.func @with_results(%c: i1, %x: i32, %y: i32) -> (i32, i32) {
  %a = scf.if %c -> i32 {
    func.call @side() : () -> ()
    scf.yield %x : i32
  } else {
    %t = arith.addi %x, %y : i32
    scf.yield %t : i32
  }
  %b = scf.if %c -> i32 {
    %t = arith.muli %a, %y : i32
    func.call @side() : () -> ()
    scf.yield %t : i32
  } else {
    func.call @side() : () -> ()
    scf.yield %a : i32
  }
  return %a, %b : i32, i32
}

func.func @without(%c: i1, %x: i32, %y: i32) {
  scf.if %c {
    func.call @usei(%x) : (i32) -> ()
  }
  scf.if %c {
    func.call @usei(%y) : (i32) -> ()
  }
  return
}

func.func @negated(%c: i1, %x: i32, %y: i32) {
  %t = arith.constant true
  %n = arith.xori %c, %t : i1
  scf.if %c {
    func.call @usei(%x) : (i32) -> ()
  }
  scf.if %n {
    func.call @usei(%y) : (i32) -> ()
  }
  return
}

func.func @nested(%a: i1, %b: i1, %x: i32, %y: i32) -> i32 {
  %r = scf.if %a -> i32 {
    %s = scf.if %b -> i32 {
      func.call @side() : () -> ()
      scf.yield %x : i32
    } else {
      scf.yield %y : i32
    }
    scf.yield %s : i32
  } else {
    scf.yield %y : i32
  }
  return %r : i32
}
