// test: canonical
func.func private @side()

func.func @dead_round(%n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^h(%c0, %c1 : i32, i32)
^h(%i: i32, %dead: i32):
  %d2 = arith.addi %dead, %c1 : i32
  %j = arith.addi %i, %c1 : i32
  %m = arith.cmpi slt, %j, %n : i32
  cf.cond_br %m, ^h(%j, %d2 : i32, i32), ^e
^e:
  return %j : i32
}

func.func @no_end(%c: i1) {
  cf.br ^a
^a:
  cf.br ^a
}

func.func @unreachable(%c: i1, %x: i32) -> i32 {
  return %x : i32
^a:
  func.call @side() : () -> ()
  cf.br ^a
}
