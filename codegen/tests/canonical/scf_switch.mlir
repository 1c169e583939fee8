// test: canonical
func.func private @side()

func.func @known(%x: index) -> (i32, i32) {
  %c2 = arith.constant 2 : index
  %a = arith.constant 10 : i32
  %r = scf.index_switch %c2 -> i32
  case 2 {
    func.call @side() : () -> ()
    scf.yield %a : i32
  }
  case 3 {
    %b = arith.constant 11 : i32
    scf.yield %b : i32
  }
  default {
    %b = arith.constant 12 : i32
    scf.yield %b : i32
  }
  %s:2 = scf.index_switch %x -> i32, i32
  case 2 {
    func.call @side() : () -> ()
    scf.yield %a, %a : i32, i32
  }
  default {
    %b = arith.constant 12 : i32
    scf.yield %b, %b : i32, i32
  }
  return %r, %s#1 : i32, i32
}

func.func @agreed(%x: index, %a: i32) -> i32 {
  scf.index_switch %x
  case 2 {
    scf.yield
  }
  default {
  }
  %r = scf.index_switch %x -> i32
  case 2 {
    scf.yield %a : i32
  }
  default {
    scf.yield %a : i32
  }
  return %r : i32
}
