// test: canonical
func.func private @usei(i32)

func.func @always(%x: i32) -> i32 {
  %t = arith.constant true
  %r = scf.while (%a = %x) : (i32) -> i32 {
    scf.condition(%t) %a : i32
  } do {
  ^bb0(%k: i32):
    func.call @usei(%k) : (i32) -> ()
    scf.yield %k : i32
  }
  return %r : i32
}

func.func @invariant(%x: i32, %y: i32) -> (i32, i32) {
  %r:2 = scf.while (%a = %x, %b = %y) : (i32, i32) -> (i32, i32) {
    %c = arith.cmpi slt, %a, %b : i32
    scf.condition(%c) %a, %b : i32, i32
  } do {
  ^bb0(%k: i32, %l: i32):
    %s = arith.addi %k, %l : i32
    scf.yield %s, %l : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

func.func @results(%x: i32, %y: i32) {
  %r:2 = scf.while (%a = %x, %b = %y) : (i32, i32) -> (i32, i32) {
    %c = arith.cmpi slt, %a, %b : i32
    scf.condition(%c) %a, %b : i32, i32
  } do {
  ^bb0(%k: i32, %l: i32):
    %s = arith.addi %k, %l : i32
    func.call @usei(%s) : (i32) -> ()
    scf.yield %s, %s : i32, i32
  }
  return
}

func.func @reduced_once(%v: f32, %n: index, %m: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c0) to (%c1) step (%c1) init (%v) -> f32 {
    %x = memref.load %m[%i] : memref<?xf32>
    scf.reduce(%x : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  return %r : f32
}

func.func @mapped(%n: index, %m: memref<?x?xf32>, %v: f32) {
  scf.forall (%i, %j) in (1, %n) {
    memref.store %v, %m[%i, %j] : memref<?x?xf32>
  } {mapping = [#gpu.block<x>, #gpu.block<y>]}
  return
}

func.func @dead_switch(%x: index) {
  %r = scf.index_switch %x -> i32
  case 2 {
    %a = arith.constant 10 : i32
    scf.yield %a : i32
  }
  default {
    %b = arith.constant 12 : i32
    scf.yield %b : i32
  }
  return
}
