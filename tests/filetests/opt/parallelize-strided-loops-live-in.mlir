// test: opt --parallelize-strided-loops

// A loop whose subscripts differ by a number of the run: where it is not negative, loads read a copy of what later
// iterations overwrite. The copy may cost no more than 16 elements an iteration.
func.func @row(%ways: memref<4xindex>, %row: memref<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %way = memref.load %ways[%i] : memref<4xindex>
    scf.for %k = %c0 to %n step %c1 {
      %from = arith.addi %k, %way : index
      %v = memref.load %row[%from] : memref<?xi32>
      memref.store %v, %row[%k] : memref<?xi32>
    }
  }
  return
}

// In an iteration the store comes first: the load may read it, and no copy will do. Residues keep the order.
// test: run-opt --entry=stored_before --arg=iota --arg=random:1[40] --arg=30 --arg=5
func.func @stored_before(%ways: memref<4xindex>, %row: memref<?xi32>, %n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %way = memref.load %ways[%i] : memref<4xindex>
    scf.for %k = %c0 to %n step %c1 {
      memref.store %x, %row[%k] : memref<?xi32>
      %from = arith.addi %k, %way : index
      %v = memref.load %row[%from] : memref<?xi32>
      memref.store %v, %row[%k] : memref<?xi32>
    }
  }
  return
}
