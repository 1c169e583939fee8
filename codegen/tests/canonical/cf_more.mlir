// test: canonical
func.func private @usei(i32)
func.func private @side()

func.func @both_ways(%c: i1, %d: i1, %x: i32, %y: i32) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  cf.cond_br %d, ^e(%x : i32), ^e(%y : i32)
^b:
  cf.br ^e(%y : i32)
^e(%r: i32):
  return %r : i32
}

func.func @known_argument(%c: i1, %x: i32) -> i32 {
  %t = arith.constant true
  cf.br ^a(%t : i1)
^a(%k: i1):
  cf.cond_br %k, ^b, ^e
^b:
  func.call @usei(%x) : (i32) -> ()
  cf.br ^e
^e:
  return %x : i32
}

func.func @weights(%c: i1) {
  cf.cond_br %c weights([2, 3]), ^a, ^b
^a:
  func.call @side() : () -> ()
  return
^b:
  return
}
