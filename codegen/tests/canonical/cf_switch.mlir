// test: canonical
func.func private @side()
func.func private @usei(i32)

func.func @default_cases(%x: i32, %y: i32, %z: i32) -> i32 {
  cf.switch %x : i32, [
    default: ^a(%y : i32),
    1: ^a(%y : i32),
    2: ^b(%z : i32),
    3: ^a(%z : i32)
  ]
^a(%r: i32):
  func.call @side() : () -> ()
  return %r : i32
^b(%s: i32):
  return %s : i32
}

func.func @only_default(%x: i32, %y: i32) -> i32 {
  cf.switch %x : i32, [
    default: ^a
  ]
^a:
  return %y : i32
}

func.func @one_case(%x: i32, %y: i32) -> i32 {
  cf.switch %x : i32, [
    default: ^a(%y : i32),
    7: ^b
  ]
^a(%r: i32):
  func.call @side() : () -> ()
  return %r : i32
^b:
  return %y : i32
}

func.func @through(%x: i32, %y: i32) -> i32 {
  cf.switch %x : i32, [
    default: ^a,
    7: ^b
  ]
^a:
  func.call @side() : () -> ()
  return %y : i32
^b:
  cf.br ^c(%x : i32)
^c(%q: i32):
  return %q : i32
}

func.func @after_switch(%x: i32, %y: i32) -> i32 {
  cf.switch %x : i32, [
    default: ^a,
    7: ^b
  ]
^a:
  cf.switch %x : i32, [
    default: ^c,
    7: ^b,
    9: ^d
  ]
^b:
  func.call @side() : () -> ()
  return %y : i32
^c:
  return %x : i32
^d:
  func.call @usei(%y) : (i32) -> ()
  return %x : i32
}
