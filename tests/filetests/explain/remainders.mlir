// Stores at remainders: parallel where the iterations are fewer than the divisor.
// test: explain
func.func @fewer(%x: memref<?xf32>, %y: memref<?xf32>, %d: index) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    %v = affine.load %x[%i] : memref<?xf32>
    %e = arith.addi %i, %d : index
    %j = arith.remsi %e, %n : index
    memref.store %v, %y[%j] : memref<?xf32>
  }
  return
}
func.func @more(%x: memref<?xf32>, %y: memref<?xf32>, %d: index) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  affine.for %i = 0 to affine_map<()[s0] -> (s0 + 1)>()[%n] {
    %v = affine.load %x[%i] : memref<?xf32>
    %e = arith.addi %i, %d : index
    %j = arith.remsi %e, %n : index
    memref.store %v, %y[%j] : memref<?xf32>
  }
  return
}
// One of two stores is a round ahead of the other.
func.func @a_round_ahead(%x: memref<?xf32>, %y: memref<?xf32>, %d: index) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  affine.for %i = 0 to affine_map<()[s0] -> (s0 floordiv 2)>()[%n] {
    %v = affine.load %x[%i] : memref<?xf32>
    %e = arith.addi %i, %d : index
    %j = arith.remsi %e, %n : index
    memref.store %v, %y[%j] : memref<?xf32>
    %f = arith.addi %e, %n : index
    %k = arith.remsi %f, %n : index
    memref.store %v, %y[%k] : memref<?xf32>
  }
  return
}
