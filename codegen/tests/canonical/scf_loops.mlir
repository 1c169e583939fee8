// test: canonical
func.func private @use(i32)
func.func private @at(index)
func.func private @more() -> i1

func.func @never(%x: i32) -> i32 {
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c3 to %c3 step %c1 iter_args(%a = %x) -> i32 {
    %n = arith.addi %a, %a : i32
    scf.yield %n : i32
  }
  return %r : i32
}

func.func @once(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %r = scf.for %i = %c0 to %c3 step %c5 iter_args(%a = %x) -> i32 {
    func.call @at(%i) : (index) -> ()
    %n = arith.addi %a, %a : i32
    scf.yield %n : i32
  }
  return %r : i32
}

func.func @invariant(%n: index, %x: i32, %y: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (i32, i32) {
    func.call @use(%a) : (i32) -> ()
    %s = arith.addi %b, %a : i32
    scf.yield %a, %s : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

// differs: @while_never: it runs once
func.func @while_never(%x: i32) -> i32 {
  %false = arith.constant false
  %r = scf.while (%a = %x) : (i32) -> i32 {
    func.call @use(%a) : (i32) -> ()
    %n = arith.addi %a, %a : i32
    scf.condition(%false) %n : i32
  } do {
  ^bb0(%b: i32):
    func.call @use(%b) : (i32) -> ()
    scf.yield %b : i32
  }
  return %r : i32
}

func.func @while_condition() -> () {
  scf.while : () -> () {
    %c = func.call @more() : () -> i1
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}

func.func @while_passes_much(%x: i32, %y: i32) -> (i32, i32) {
  %r:4 = scf.while (%a = %x) : (i32) -> (i32, i32, i32, i1) {
    %c = func.call @more() : () -> i1
    %n = arith.addi %a, %y : i32
    scf.condition(%c) %n, %n, %y, %c : i32, i32, i32, i1
  } do {
  ^bb0(%b: i32, %d: i32, %e: i32, %f: i1):
    %s = arith.addi %d, %e : i32
    %t = arith.select %f, %s, %b : i32
    scf.yield %t : i32
  }
  return %r#0, %r#2 : i32, i32
}

func.func @while_carries_invariant(%x: i32, %y: i32) -> i32 {
  %r:2 = scf.while (%a = %x, %k = %y) : (i32, i32) -> (i32, i32) {
    %c = func.call @more() : () -> i1
    %n = arith.addi %a, %k : i32
    scf.condition(%c) %n, %k : i32, i32
  } do {
  ^bb0(%b: i32, %l: i32):
    func.call @use(%l) : (i32) -> ()
    scf.yield %b, %l : i32, i32
  }
  return %r#0 : i32
}

func.func @band(%n: index, %m: memref<?x?x?xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%i, %j, %k) = (%c0, %c1, %c0) to (%n, %c2, %c2) step (%c1, %c2, %c1) {
    memref.store %v, %m[%i, %j, %k] : memref<?x?x?xi32>
    scf.reduce
  }
  return
}

func.func @band_never(%m: memref<?xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c1) to (%c1, %c1) step (%c1, %c1) {
    memref.store %v, %m[%i] : memref<?xi32>
    scf.reduce
  }
  return
}

func.func @band_once(%m: memref<?xi32>, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c0) to (%c1) step (%c1) init (%x) -> i32 {
    %v = memref.load %m[%i] : memref<?xi32>
    scf.reduce(%v : i32) {
    ^bb0(%a: i32, %b: i32):
      %s = arith.muli %a, %b : i32
      scf.reduce.return %s : i32
    }
  }
  return %r : i32
}

func.func @switch(%x: i32, %y: i32) -> (i32, i32) {
  %c7 = arith.constant 7 : index
  %c9 = arith.constant 9 : index
  %r = scf.index_switch %c7 -> i32
  case 2 {
    scf.yield %x : i32
  }
  case 7 {
    %s = arith.addi %x, %y : i32
    scf.yield %s : i32
  }
  default {
    scf.yield %y : i32
  }
  %q = scf.index_switch %c9 -> i32
  case 2 {
    scf.yield %x : i32
  }
  default {
    scf.yield %y : i32
  }
  return %r, %q : i32, i32
}

func.func @region(%x: i32) -> i32 {
  %r = scf.execute_region -> i32 {
    func.call @use(%x) : (i32) -> ()
    %s = arith.addi %x, %x : i32
    scf.yield %s : i32
  }
  return %r : i32
}
