// Stores at remainders by a number known only when the program runs: parallel where iterations are fewer than the
// divisor, under a test that no dividend wraps around.
// test: opt --affine-guard-overflow --affine-parallelize
// test: run-opt --entry=fewer --arg=iota[9] --arg=zeros[9] --arg=-20
// test: run-opt --entry=fewer --arg=iota[9] --arg=zeros[9] --arg=9223372036854775803
// test: run-opt --entry=one_more --arg=iota[9] --arg=zeros[9] --arg=4
// test: run-opt --entry=halves --arg=iota[9] --arg=zeros[9] --arg=7
// test: run-opt --entry=raised --arg=iota[3] --arg=zeros[2] --arg=9223372036854775807
func.func @fewer(%x: memref<?xf32>, %y: memref<?xf32>, %d: index) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %once:2 = memref.distinct_objects %x, %y : memref<?xf32>, memref<?xf32>
  affine.for %i = 0 to %n {
    %v = affine.load %once#0[%i] : memref<?xf32>
    %e = arith.addi %i, %d : index
    %r = arith.remsi %e, %n : index
    %s = arith.addi %r, %n : index
    %j = arith.remsi %s, %n : index
    memref.store %v, %once#1[%j] : memref<?xf32>
  }
  return
}
// The last iteration has the remainder of the first one.
func.func @one_more(%x: memref<?xf32>, %y: memref<?xf32>, %d: index) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %once:2 = memref.distinct_objects %x, %y : memref<?xf32>, memref<?xf32>
  affine.for %i = 0 to affine_map<()[s0] -> (s0 + 1)>()[%n] {
    %x0 = arith.index_cast %i : index to i32
    %v = arith.sitofp %x0 : i32 to f32
    %e = arith.addi %i, %d : index
    %r = arith.remsi %e, %n : index
    %s = arith.addi %r, %n : index
    %j = arith.remsi %s, %n : index
    memref.store %v, %once#1[%j] : memref<?xf32>
  }
  return
}
// Not proved: the dividend of the second store is a divisor ahead, which different iterations never are by a multiple.
func.func @halves(%x: memref<?xf32>, %y: memref<?xf32>, %d: index) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %once:2 = memref.distinct_objects %x, %y : memref<?xf32>, memref<?xf32>
  affine.for %i = 0 to affine_map<()[s0] -> (s0 floordiv 2)>()[%n] {
    %v = affine.load %once#0[%i] : memref<?xf32>
    %e = arith.addi %i, %d : index
    %j = arith.remsi %e, %n : index
    memref.store %v, %once#1[%j] : memref<?xf32>
    %f = arith.addi %e, %n : index
    %k = arith.remsi %f, %n : index
    memref.store %v, %once#1[%k] : memref<?xf32>
  }
  return
}
// 2 + (2^63 - 1) wraps around to -(2^63 - 1), which has remainder 0 as 0 + (2^63 - 1) has: a test of the divisor.
func.func @raised(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  %once:2 = memref.distinct_objects %x, %y : memref<?xf32>, memref<?xf32>
  affine.for %i = 0 to min affine_map<()[s0] -> (3, s0)>()[%n] step 2 {
    %v = affine.load %once#0[%i] : memref<?xf32>
    %r = arith.remsi %i, %n : index
    %s = arith.addi %r, %n : index
    %j = arith.remsi %s, %n : index
    memref.store %v, %once#1[%j] : memref<?xf32>
  }
  return
}
