// test: canonical
func.func private @usei(i32)
func.func private @side()
func.func private @use(index)

func.func @empty_then(%c: i1, %x: i32) {
  scf.if %c {
  } else {
    func.call @usei(%x) : (i32) -> ()
  }
  return
}

func.func @negated(%a: i32, %b: i32) -> i1 {
  %t = arith.constant true
  %f = arith.constant false
  %c = arith.cmpi slt, %a, %b : i32
  %r = scf.if %c -> i1 {
    scf.yield %f : i1
  } else {
    scf.yield %t : i1
  }
  return %r : i1
}

func.func @pure(%c: i1, %a: i32, %b: i32) -> i32 {
  %r = scf.if %c -> i32 {
    %s = arith.addi %a, %b : i32
    scf.yield %s : i32
  } else {
    scf.yield %a : i32
  }
  return %r : i32
}

func.func @in_loop(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.if %c {
      func.call @use(%i) : (index) -> ()
    }
    scf.if %c {
      func.call @side() : () -> ()
    }
  }
  return
}
