// Tables of dynamic programming as lowered C has them: the weight of an item, loaded from memory, is a bound and a distance.
// The expected values are those of Python loops.
// test: run --entry=knapsack --arg=7 --arg=12 --arg=iota[7] --arg=iota[7] --arg=zeros[13]
// expect: arg 4 = [5, 9, 12, 16, 16, 18, 22, 22, 22, 22, 23, 23, 25]
func.func @knapsack(%n: i32, %limit: i32, %weights: memref<?xi32>, %values: memref<?xi32>, %best: memref<?xi32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %at = arith.index_cast %i : i32 to index
    %end = scf.while (%j = %limit) : (i32) -> i32 {
      %w = memref.load %weights[%at] : memref<?xi32>
      %more = arith.cmpi sge, %j, %w : i32
      scf.condition(%more) %j : i32
    } do {
    ^bb0(%j: i32):
      %to = arith.index_cast %j : i32 to index
      %old = memref.load %best[%to] : memref<?xi32>
      %w = memref.load %weights[%at] : memref<?xi32>
      %left = arith.subi %j, %w : i32
      %from = arith.index_cast %left : i32 to index
      %rest = memref.load %best[%from] : memref<?xi32>
      %number = memref.load %values[%at] : memref<?xi32>
      %v = arith.xori %number, %c5 : i32
      %new = arith.addi %rest, %v : i32
      %better = arith.cmpi slt, %old, %new : i32
      scf.if %better {
        %again = memref.load %best[%from] : memref<?xi32>
        %sum = arith.addi %again, %v : i32
        memref.store %sum, %best[%to] : memref<?xi32>
      }
      %k = arith.subi %j, %c1 : i32
      scf.yield %k : i32
    }
  }
  return
}

// test: run --entry=coins --arg=7 --arg=15 --arg=iota[7] --arg=zeros[16]
// expect: arg 3 = [2, 2, 4, 6, 3, 0, 1, 0, 5, 3, 0, 4, 4, 2, 5, 3]
func.func @coins(%n: i32, %sum: i32, %coins: memref<?xi32>, %ways: memref<?xi32>) {
  %zero = arith.constant 0 : index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  memref.store %c1, %ways[%zero] : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %at = arith.index_cast %i : i32 to index
    %c = memref.load %coins[%at] : memref<?xi32>
    %end = scf.while (%j = %c) : (i32) -> i32 {
      %more = arith.cmpi sle, %j, %sum : i32
      scf.condition(%more) %j : i32
    } do {
    ^bb0(%j: i32):
      %to = arith.index_cast %j : i32 to index
      %old = memref.load %ways[%to] : memref<?xi32>
      %again = memref.load %coins[%at] : memref<?xi32>
      %left = arith.subi %j, %again : i32
      %from = arith.index_cast %left : i32 to index
      %rest = memref.load %ways[%from] : memref<?xi32>
      %new = arith.addi %old, %rest : i32
      %digit = arith.remsi %new, %c7 : i32
      memref.store %digit, %ways[%to] : memref<?xi32>
      %k = arith.addi %j, %c1 : i32
      scf.yield %k : i32
    }
  }
  return
}
