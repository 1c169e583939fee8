// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
// Operands that stand for symbols: of `affine.apply`, `min` and `max` anything but a dimension that is no symbol.
#add = affine_map<(d0)[s0] -> (d0 + s0)>
func.func @loop_arguments(%lo: index, %hi: index, %step: index, %c: i1) {
  scf.for %i = %lo to %hi step %step {
    %0 = affine.apply #add(%i)[%i]
    %1 = affine.min affine_map<(d0)[s0] -> (d0, s0)>(%i)[%i]
    %2 = affine.max affine_map<()[s0] -> (s0, 4)>()[%i]
    %3 = affine.apply #add(%1)[%2]
    scf.parallel (%j, %k) = (%lo, %lo) to (%hi, %hi) step (%step, %step) {
      %4 = affine.apply #add(%j)[%k]
    }
    scf.forall (%t) in (%hi) {
      %5 = affine.apply affine_map<()[s0] -> (s0 * 4)>()[%t]
      %6 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%t)[%5]
    }
  }
  %r = scf.while (%a = %lo) : (index) -> index {
    %7 = affine.apply affine_map<()[s0] -> (s0 mod 7)>()[%a]
    scf.condition(%c) %7 : index
  } do {
  ^bb0(%b: index):
    %8 = affine.apply affine_map<()[s0] -> (s0 + 1)>()[%b]
    scf.yield %8 : index
  }
  return
}
// -----
func.func @computed(%m: memref<?xindex>, %k: memref<?xi32>, %c: i1, %n: index) {
  affine.for %i = 0 to 10 {
    %0 = affine.load %m[%i] : memref<?xindex>
    %1 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%0]
    %2 = memref.load %k[%1] : memref<?xi32>
    %3 = arith.index_cast %2 : i32 to index
    %4 = affine.apply affine_map<()[s0] -> (s0 * 4)>()[%3]
    %5 = scf.if %c -> index {
      scf.yield %n : index
    } else {
      scf.yield %i : index
    }
    %6 = affine.apply affine_map<(d0)[s0, s1] -> (d0 + s0 * 2 - s1)>(%5)[%5, %4]
    %7 = func.call @number() : () -> index
    %8 = affine.apply affine_map<()[s0] -> (s0 floordiv 2)>()[%7]
    %9 = affine.min affine_map<()[s0] -> (s0, 3)>()[%i]
    %10 = affine.apply affine_map<()[s0] -> (s0)>()[%9]
    %11 = affine.max affine_map<(d0)[s0] -> (s0, d0)>(%8)[%i]
    %12 = arith.addi %i, %n : index
    %13 = affine.apply affine_map<()[s0] -> (s0)>()[%12]
  }
  return
}
func.func private @number() -> index
// -----
func.func @blocks(%c: i1, %n: index) {
  cf.br ^bb1(%n : index)
^bb1(%a: index):
  %0 = affine.apply affine_map<()[s0] -> (s0 + 1)>()[%a]
  cf.cond_br %c, ^bb1(%0 : index), ^bb2
^bb2:
  return
}
// -----
// Extents of tensors are symbols as those of memrefs are.
func.func @extents(%t: tensor<?xf32>, %u: tensor<*xf32>, %n: index) {
  affine.for %i = 0 to 10 {
    %c0 = arith.constant 0 : index
    %0 = tensor.dim %t, %c0 : tensor<?xf32>
    affine.for %j = 0 to %0 {
      %1 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%j)[%0]
    }
    %2 = tensor.dim %u, %i : tensor<*xf32>
    affine.parallel (%j) = (0) to (%2) {
    }
    %3 = tensor.empty(%i) : tensor<?xf32>
    %4 = tensor.dim %3, %c0 : tensor<?xf32>
    %5 = affine.apply affine_map<()[s0] -> (s0)>()[%4]
    %6 = memref.alloc(%i) : memref<?xf32>
    %7 = memref.dim %6, %c0 : memref<?xf32>
    %8 = affine.apply affine_map<()[s0] -> (s0)>()[%7]
  }
  return
}
// -----
// Quotients inside of a branch are symbols where their divisor is a constant, remainders whatever it is.
func.func @quotients(%m: memref<?xf32>, %n: index, %d: index, %c: i1) {
  %c2 = arith.constant 2 : index
  scf.if %c {
    %0 = arith.divui %n, %c2 : index
    %1 = arith.divsi %0, %c2 : index
    %2 = arith.ceildivsi %1, %c2 : index
    %3 = arith.ceildivui %2, %c2 : index
    %4 = arith.floordivsi %3, %d : index
    %5 = arith.remsi %4, %d : index
    %6 = arith.remui %5, %d : index
    affine.for %i = 0 to %6 {
      %7 = affine.load %m[%i + symbol(%2)] : memref<?xf32>
    }
  }
  return
}
