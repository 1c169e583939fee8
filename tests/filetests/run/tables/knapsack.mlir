// The 0/1 knapsack in one row: items weigh 0 to 3 and are worth the square of that. Weights are known at the run
// alone; where none is negative, no iteration of a row reads what an earlier one wrote.
// test: run --arg=iota --arg=zeros --arg=7
// expect: arg 1 = [0, 1, 4, 9, 10, 13, 14, 14]
func.func @knapsack(%weights: memref<4xi32>, %row: memref<8xi32>, %capacity: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %end = arith.addi %capacity, %c1 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %weight = memref.load %weights[%i] : memref<4xi32>
    %worth = arith.muli %weight, %weight : i32
    %w = arith.index_cast %weight : i32 to index
    scf.for %k = %w to %end step %c1 {
      %rest = arith.subi %capacity, %k : index
      %j = arith.addi %rest, %w : index
      %without = memref.load %row[%j] : memref<8xi32>
      %before = memref.load %row[%rest] : memref<8xi32>
      %with = arith.addi %before, %worth : i32
      %best = arith.maxsi %without, %with : i32
      memref.store %best, %row[%j] : memref<8xi32>
    }
  }
  return
}
