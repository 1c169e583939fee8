// Stores at remainders by a number known only when the program runs: iterations fewer than the divisor have different
// ones, of any sign, unless the dividend wraps around 2^64.
//
// test: run --entry=roll --arg=iota[5] --arg=zeros[5] --arg=2
// expect: arg 1 = [3, 4, 0, 1, 2]
// test: run --entry=roll_both --arg=iota[2x3] --arg=zeros[2x3] --arg=1 --arg=2
// expect: arg 1 = [[4, 5, 3], [1, 2, 0]]
// (%i - 7) mod 5 is (%i + 3) mod 5.
// test: run --entry=roll_back --arg=iota[5] --arg=zeros[5] --arg=7
// expect: arg 1 = [2, 3, 4, 0, 1]
// test: run --entry=floored --arg=iota[5] --arg=zeros[5] --arg=-7
// expect: arg 1 = [2, 3, 4, 0, 1]
// 2^63 - 3 is a multiple of 5, 2^63 wraps around to -2^63, which is 2 modulo 5 as 2^63 - 1 is: the later iteration counts.
// test: run --entry=floored --arg=iota[5] --arg=zeros[5] --arg=9223372036854775805
// expect: arg 1 = [0, 1, 3, 4, 0]
// More iterations than elements: the last of each remainder counts.
// test: run --entry=two_rounds --arg=iota[8] --arg=zeros[4] --arg=4
// expect: arg 1 = [4, 5, 6, 7]
// test: run --entry=by_a_divisor_that_varies --arg=iota[6] --arg=zeros[8]
// expect: arg 1 = [5, 0, 2, 0, 4, 0, 0, 0]
// 2 + (2^63 - 1) wraps around to -(2^63 - 1), which has remainder 0 as 0 + (2^63 - 1) has: the later iteration counts.
// test: run --entry=raised --arg=iota[3] --arg=zeros[2] --arg=9223372036854775807
// expect: arg 1 = [2, 0]
func.func @raised(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  affine.for %i = 0 to min affine_map<()[s0] -> (3, s0)>()[%n] step 2 {
    %v = affine.load %x[%i] : memref<?xf32>
    %r = arith.remsi %i, %n : index
    %s = arith.addi %r, %n : index
    %j = arith.remsi %s, %n : index
    memref.store %v, %y[%j] : memref<?xf32>
  }
  return
}
func.func @roll(%x: memref<?xf32>, %y: memref<?xf32>, %d: index) {
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
func.func @roll_both(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %dy: index, %dx: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %x, %c0 : memref<?x?xf32>
  %columns = memref.dim %x, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %rows {
    affine.for %j = 0 to %columns {
      %v = affine.load %x[%i, %j] : memref<?x?xf32>
      %ei = arith.addi %i, %dy : index
      %ri = arith.remsi %ei, %rows : index
      %ej = arith.addi %j, %dx : index
      %rj = arith.remsi %ej, %columns : index
      memref.store %v, %y[%ri, %rj] : memref<?x?xf32>
    }
  }
  return
}
func.func @roll_back(%x: memref<?xf32>, %y: memref<?xf32>, %d: index) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    %v = affine.load %x[%i] : memref<?xf32>
    %e = arith.subi %i, %d : index
    %r = arith.remsi %e, %n : index
    %s = arith.addi %n, %r : index
    %j = arith.remsi %s, %n : index
    memref.store %v, %y[%j] : memref<?xf32>
  }
  return
}
func.func @floored(%x: memref<?xf32>, %y: memref<?xf32>, %d: index) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    %v = affine.load %x[%i] : memref<?xf32>
    %e = arith.addi %d, %i : index
    %r = arith.remsi %e, %n : index
    %s = arith.addi %r, %n : index
    %negative = arith.cmpi slt, %r, %c0 : index
    %j = arith.select %negative, %s, %r : index
    memref.store %v, %y[%j] : memref<?xf32>
  }
  return
}
func.func @two_rounds(%x: memref<?xf32>, %y: memref<?xf32>, %m: index) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    %v = affine.load %x[%i] : memref<?xf32>
    %j = arith.remsi %i, %m : index
    memref.store %v, %y[%j] : memref<?xf32>
  }
  return
}
// %i rem (%i + 1 - %i rem 2): each pair of iterations has a divisor of its own. Iterations 0, 1, 3 and 5 have remainder 0.
func.func @by_a_divisor_that_varies(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    %v = affine.load %x[%i] : memref<?xf32>
    %odd = arith.remsi %i, %c2 : index
    %next = arith.addi %i, %c1 : index
    %by = arith.subi %next, %odd : index
    %j = arith.remsi %i, %by : index
    memref.store %v, %y[%j] : memref<?xf32>
  }
  return
}
