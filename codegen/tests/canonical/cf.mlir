// test: canonical
func.func private @use(i32)

func.func @known(%x: i32) -> i32 {
  %true = arith.constant true
  cf.cond_br %true, ^a, ^b
^a:
  func.call @use(%x) : (i32) -> ()
  cf.br ^c(%x : i32)
^b:
  %y = arith.addi %x, %x : i32
  cf.br ^c(%y : i32)
^c(%r: i32):
  return %r : i32
}

func.func @same(%c: i1, %x: i32, %y: i32) -> i32 {
  cf.cond_br %c, ^a(%x : i32), ^a(%y : i32)
^a(%r: i32):
  return %r : i32
}

func.func @chain(%x: i32) -> i32 {
  cf.br ^a(%x : i32)
^a(%p: i32):
  %y = arith.addi %p, %p : i32
  cf.br ^b(%y : i32)
^b(%q: i32):
  %z = arith.muli %q, %x : i32
  cf.br ^c
^c:
  return %z : i32
}

func.func @through(%c: i1, %x: i32, %y: i32) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  cf.br ^c(%x : i32)
^b:
  func.call @use(%y) : (i32) -> ()
  cf.br ^c(%y : i32)
^c(%r: i32):
  return %r : i32
}

func.func @switch(%x: i32) -> i32 {
  %c7 = arith.constant 7 : i32
  cf.switch %c7 : i32, [
    default: ^a(%x : i32),
    3: ^b,
    7: ^c
  ]
^a(%p: i32):
  return %p : i32
^b:
  return %x : i32
^c:
  func.call @use(%x) : (i32) -> ()
  return %c7 : i32
}

func.func @loop(%n: i32, %x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^head(%c0, %x, %x : i32, i32, i32)
^head(%i: i32, %a: i32, %k: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^end
^body:
  %b = arith.addi %a, %k : i32
  %j = arith.addi %i, %c1 : i32
  cf.br ^head(%j, %b, %x : i32, i32, i32)
^end:
  return %a : i32
}

func.func @assert(%c: i1) {
  %true = arith.constant true
  cf.assert %true, "holds"
  cf.assert %c, "may not"
  return
}
