// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
"s.empty"() ({}) : () -> ()
"s.blocks"() ({
  "s.br"()[^b, ^a] : () -> ()
^a:
  "s.ret"() : () -> ()
^b:
  "s.br"()[^a] : () -> ()
}, {
^bb0(%x: i32, %y: f32):
  "s.use"(%y, %x) : (f32, i32) -> ()
}) {k} : () -> ()
// -----
%0:3 = "s.pack"() : () -> (i32, f32, i1)
"s.use"(%0#2, %0#0) : (i1, i32) -> ()
%a, %b:2 = "s.pack"() : () -> (i32, f32, i1)
"s.use"(%b#1, %a, %b) : (i1, i32, f32) -> ()
// -----
module @named attributes {x.a = 1 : i32} {
  module {
    func.func private @decl(i32 {x.a = 1 : i32}, f32) -> (i32 {x.b}, f32)
  }
  module @inner {}
}
// -----
func.func @f(%a: i32 {x.y = "z"}, %b: tensor<4xf32>) -> (i32 {x.r}) attributes {x.attr = @f} {
  return %a : i32
}
func.func nested @g() {
  %c = func.constant @f : (i32, tensor<4xf32>) -> i32
  cf.br ^bb2
^bb1(%x: i32):
  return
^bb2:
  %k = arith.constant 3 : i32
  %t = arith.constant true
  cf.cond_br %t, ^bb1(%k : i32), ^bb3
^bb3:
  cf.switch %k : i32, [
    default: ^bb1(%k : i32),
    42: ^bb3
  ]
}
// -----
"s.graph"() ({
  %1 = "s.a"(%2) : (i32) -> i32
  %2 = "s.b"(%1) : (i32) -> i32
}) : () -> ()
// -----
func.func @arith(%a: i32, %b: i32, %f: f32, %v: vector<4xf32>, %c: i1, %cv: vector<4xi1>) {
  %0 = arith.addi %a, %b overflow<nsw, nuw> : i32
  %1 = arith.addf %f, %f fastmath<fast> : f32
  %2 = arith.mulf %v, %v fastmath<nnan,contract> : vector<4xf32>
  %3 = arith.cmpi slt, %a, %b : i32
  %4 = arith.cmpf oeq, %f, %f fastmath<ninf> : f32
  %5 = arith.select %c, %a, %b : i32
  %6 = arith.select %cv, %v, %v : vector<4xi1>, vector<4xf32>
  %7:2 = arith.addui_extended %a, %b : i32, i1
  %8:2 = arith.mulsi_extended %a, %b : i32
  %9 = arith.extf %f : f32 to f64
  %10 = arith.truncf %9 to_nearest_even : f64 to f32
  %11 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %12 = arith.constant {tag} 5 : index
  %13 = arith.divsi %a, %b exact : i32
  %14 = math.sqrt %f fastmath<afn> : f32
  %15 = math.fma %f, %f, %f : f32
  %16 = arith.index_cast %a : i32 to index
  %17 = arith.trunci %a overflow<nsw> : i32 to i8
  %18 = arith.constant -0.0 : f32
  %19 = arith.constant 0xFF : i8
  return
}
// -----
func.func @memref(%a: memref<4x?xf32>, %n: index, %f: f32, %s: memref<?x?xf32, strided<[?, 1], offset: ?>>) {
  %0 = memref.alloc(%n) {alignment = 64 : i64} : memref<4x?xf32>
  %1 = memref.alloca(%n)[%n] : memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
  %2 = memref.load %a[%n, %n] : memref<4x?xf32>
  memref.store %2, %a[%n, %n] {nontemporal = true} : memref<4x?xf32>
  %3 = memref.dim %a, %n : memref<4x?xf32>
  %4 = memref.subview %a[0, %n] [2, 4] [1, %n] : memref<4x?xf32> to memref<2x4xf32, strided<[?, ?], offset: ?>>
  %5 = memref.cast %a : memref<4x?xf32> to memref<?x?xf32>
  %6 = memref.reinterpret_cast %a to offset: [0], sizes: [%n, 4], strides: [4, 1] : memref<4x?xf32> to memref<?x4xf32, strided<[4, 1]>>
  %7 = memref.collapse_shape %a [[0, 1]] : memref<4x?xf32> into memref<?xf32>
  %8 = memref.atomic_rmw addf %f, %a[%n, %n] : (f32, memref<4x?xf32>) -> f32
  %9 = memref.generic_atomic_rmw %a[%n, %n] : memref<4x?xf32> {
  ^bb0(%x: f32):
    memref.atomic_yield %x : f32
  }
  %10 = memref.alloca_scope -> (index) {
    memref.alloca_scope.return %n : index
  }
  %11 = memref.transpose %s (i, j) -> (j, i) : memref<?x?xf32, strided<[?, 1], offset: ?>> to memref<?x?xf32, strided<[1, ?], offset: ?>>
  memref.prefetch %a[%n, %n], write, locality<1>, instr : memref<4x?xf32>
  memref.copy %a, %0 : memref<4x?xf32> to memref<4x?xf32>
  memref.dealloc %0 : memref<4x?xf32>
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %s : memref<?x?xf32, strided<[?, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
  return
}
memref.global "private" constant @c : memref<4xf32> = dense<1.0> {alignment = 16 : i64}
memref.global @u : memref<2xi32> = uninitialized
memref.global @e : memref<2xi32>
memref.global "private" @d : memref<2xi32> = dense<[1, 2]>
// -----
func.func @scf(%n: index, %f: f32, %c: i1, %i: i32, %t: tensor<8xf32>) {
  scf.for %k = %n to %n step %n {
  }
  %0:2 = scf.for %k = %n to %n step %n iter_args(%x = %f, %y = %f) -> (f32, f32) {
    scf.yield %y, %x : f32, f32
  }
  scf.for unsigned %k = %i to %i step %i : i32 {
    "x.y"(%k) : (i32) -> ()
  } {tag}
  %1 = scf.if %c -> (f32) {
    scf.yield %f : f32
  } else {
    scf.yield %f : f32
  }
  scf.if %c {
  } {note}
  %2 = scf.while (%x = %f) : (f32) -> f32 {
    scf.condition(%c) %x : f32
  } do {
  ^bb0(%y: f32):
    scf.yield %y : f32
  } attributes {w}
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  %3 = scf.parallel (%a, %b) = (%n, %n) to (%n, %n) step (%n, %n) init (%f) -> f32 {
    scf.reduce(%f : f32) {
    ^bb0(%x: f32, %y: f32):
      scf.reduce.return %x : f32
    }
  }
  scf.parallel (%a) = (%n) to (%n) step (%n) {
  }
  %4 = scf.execute_region -> f32 {
    scf.yield %f : f32
  }
  %5 = scf.index_switch %n -> f32
  case 2 {
    scf.yield %f : f32
  }
  case -5 {
    scf.yield %f : f32
  }
  default {
    scf.yield %f : f32
  }
  scf.forall (%a, %b) in (4, %n) {
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  %6 = scf.forall (%a) = (0) to (%n) step (2) shared_outs(%o = %t) -> (tensor<8xf32>) {
    scf.forall.in_parallel {
    }
  }
  return
}

// -----

// Nothing runs in a block that nothing leads to, so that everything dominates it.
func.func @unreachable(%a: i32) -> i32 {
  return %a : i32
^bb1:
  "a.region"() ({
    "a.use"(%a) : (i32) -> ()
  }) : () -> ()
  return %a : i32
}
