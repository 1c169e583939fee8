// test: canonical
func.func private @side()
func.func private @useb(i1)

func.func @known_by_branch(%c: i1, %x: i32) -> i1 {
  cf.cond_br %c, ^a, ^b
^a:
  func.call @useb(%c) : (i1) -> ()
  cf.br ^d(%c : i1)
^b:
  func.call @side() : () -> ()
  func.call @useb(%c) : (i1) -> ()
  cf.br ^d(%c : i1)
^d(%r: i1):
  return %r : i1
}

func.func @same_edges(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^a(%x : i32), ^a(%x : i32)
^a(%r: i32):
  return %r : i32
}

func.func @both_through(%c: i1, %x: i32, %y: i32) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  cf.br ^d(%x : i32)
^b:
  cf.br ^d(%y : i32)
^d(%r: i32):
  return %r : i32
}

func.func @negated(%c: i1, %x: i32, %y: i32) -> i32 {
  %t = arith.constant true
  %n = arith.xori %c, %t : i1
  cf.cond_br %n, ^a, ^b
^a:
  func.call @side() : () -> ()
  return %x : i32
^b:
  return %y : i32
}

func.func @alike(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  %s = arith.addi %x, %x : i32
  return %s : i32
^b:
  %t = arith.addi %x, %x : i32
  return %t : i32
}

func.func @returns(%c: i1, %x: i32, %y: i32) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  return %x : i32
^b:
  return %y : i32
}
