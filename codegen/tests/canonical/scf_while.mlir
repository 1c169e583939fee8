// test: canonical
func.func private @get() -> i1
func.func private @usei(i32)

func.func @unused(%x: i32, %y: i32) -> i32 {
  %r:2 = scf.while (%a = %x, %b = %y) : (i32, i32) -> (i32, i32) {
    %c = func.call @get() : () -> i1
    scf.condition(%c) %a, %b : i32, i32
  } do {
  ^bb0(%a: i32, %b: i32):
    func.call @usei(%a) : (i32) -> ()
    %t = arith.addi %a, %a : i32
    scf.yield %t, %b : i32, i32
  }
  return %r#0 : i32
}

func.func @condition(%x: i32) -> i1 {
  %r = scf.while (%a = %x) : (i32) -> i1 {
    %c = func.call @get() : () -> i1
    scf.condition(%c) %c : i1
  } do {
  ^bb0(%k: i1):
    %t = arith.extui %k : i1 to i32
    func.call @usei(%t) : (i32) -> ()
    scf.yield %t : i32
  }
  return %r : i1
}

func.func @compared(%x: i32, %n: i32) -> i32 {
  %r = scf.while (%a = %x) : (i32) -> i32 {
    %c = arith.cmpi ne, %a, %n : i32
    scf.condition(%c) %a : i32
  } do {
  ^bb0(%k: i32):
    %c2 = arith.cmpi ne, %k, %n : i32
    %t = arith.extui %c2 : i1 to i32
    func.call @usei(%t) : (i32) -> ()
    scf.yield %t : i32
  }
  return %r : i32
}

func.func @twice(%x: i32) -> (i32, i32) {
  %r:2 = scf.while (%a = %x) : (i32) -> (i32, i32) {
    %c = func.call @get() : () -> i1
    scf.condition(%c) %a, %a : i32, i32
  } do {
  ^bb0(%k: i32, %l: i32):
    %t = arith.addi %k, %l : i32
    scf.yield %t : i32
  }
  return %r#0, %r#1 : i32, i32
}

func.func @reordered(%x: i32, %y: i32) -> (i32, i32) {
  %r:2 = scf.while (%a = %x, %b = %y) : (i32, i32) -> (i32, i32) {
    %c = func.call @get() : () -> i1
    scf.condition(%c) %b, %a : i32, i32
  } do {
  ^bb0(%k: i32, %l: i32):
    %t = arith.addi %k, %l : i32
    scf.yield %t, %k : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

// differs: @never: what never runs again is no loop
func.func @never(%x: i32) -> i32 {
  %false = arith.constant false
  %r = scf.while (%a = %x) : (i32) -> i32 {
    scf.condition(%false) %a : i32
  } do {
  ^bb0(%k: i32):
    func.call @usei(%k) : (i32) -> ()
    scf.yield %k : i32
  }
  return %r : i32
}
