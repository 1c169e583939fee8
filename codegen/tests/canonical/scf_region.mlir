// test: canonical
func.func private @side()

func.func @spliced(%c: i1, %x: i32) -> i32 {
  %r = scf.execute_region -> i32 {
    %t = arith.addi %x, %x : i32
    scf.yield %t : i32
  }
  %s = scf.execute_region -> i32 {
    cf.cond_br %c, ^a, ^b
  ^a:
    func.call @side() : () -> ()
    cf.br ^c(%x : i32)
  ^b:
    cf.br ^c(%r : i32)
  ^c(%q: i32):
    scf.yield %q : i32
  }
  return %s : i32
}

func.func @nested(%c: i1, %x: i32) -> i32 {
  %s = scf.if %c -> i32 {
    %t = scf.execute_region -> i32 {
      cf.cond_br %c, ^a, ^b
    ^a:
      func.call @side() : () -> ()
      cf.br ^b
    ^b:
      scf.yield %x : i32
    }
    scf.yield %t : i32
  } else {
    scf.yield %x : i32
  }
  return %s : i32
}
