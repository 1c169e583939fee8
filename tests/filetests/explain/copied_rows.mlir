// test: explain

// A knapsack's table in one row: affine-node-splitting has the inner loop read a copy of the row, and yet the dependence is
// told by what the source has, a number that the program loads.
func.func @main(%weights: memref<200xi32>, %values: memref<200xi32>, %best: memref<20001xi32>) {
  affine.for %i = 0 to 200 {
    %narrow = affine.load %weights[%i] : memref<200xi32>
    %value = affine.load %values[%i] : memref<200xi32>
    %weight = arith.index_cast %narrow : i32 to index
    affine.for %q = 0 to 20001 {
      %c = affine.apply affine_map<(d0) -> (20000 - d0)>(%q)
      %fits = arith.cmpi sge, %c, %weight : index
      scf.if %fits {
        %rest = arith.subi %c, %weight : index
        %x = memref.load %best[%rest] : memref<20001xi32>
        %y = arith.addi %x, %value : i32
        %o = memref.load %best[%c] : memref<20001xi32>
        %m = arith.maxsi %o, %y : i32
        memref.store %m, %best[%c] : memref<20001xi32>
      }
    }
  }
  return
}
