// Parallel loops come out of loops between numbers that only the run knows.
//
// test: opt --affine-loop-permute

// Row b has the elements from b to 2 * b - 1 of a matrix that counts up: 1 and nothing, 1 + (3, 4, 5), 1 + (6, 7, 8) + (9, 10, 11). What
// the loop over a row's elements loads comes along.
// test: run-opt --entry=bags --arg=iota --arg=ones --arg=iota --arg=ones
// expect: arg 3 = [1, 1, 1, 4, 5, 6, 16, 18, 20]
func.func @bags(%off: memref<3xi32>, %w: memref<6xi32>, %e: memref<6x3xi32>, %o: memref<3x3xi32>) {
  %s:4 = memref.distinct_objects %o, %e, %w, %off : memref<3x3xi32>, memref<6x3xi32>, memref<6xi32>, memref<3xi32>
  %c1 = arith.constant 1 : index
  affine.for %b = 0 to 3 {
    %x = affine.load %s#3[%b] : memref<3xi32>
    %from = arith.index_cast %x : i32 to index
    %to = arith.addi %from, %from : index
    scf.for %k = %from to %to step %c1 {
      %f = memref.load %s#2[%k] : memref<6xi32>
      affine.for %d = 0 to 3 {
        %v = memref.load %s#1[%k, %d] : memref<6x3xi32>
        %p = arith.muli %f, %v : i32
        %t = affine.load %s#0[%b, %d] : memref<3x3xi32>
        %u = arith.addi %t, %p : i32
        affine.store %u, %s#0[%b, %d] : memref<3x3xi32>
      }
    }
  }
  return
}

// Each column is the one before and an element, of a row's last row of the matrix in the end: 1 + 4 and 5 + 5, then 1 + 10 and 11 + 11.
// test: run-opt --entry=tied_columns --arg=iota --arg=iota --arg=ones
// expect: arg 2 = [1, 1, 1, 1, 5, 10, 1, 11, 22]
func.func @tied_columns(%off: memref<3xi32>, %e: memref<6x3xi32>, %o: memref<3x3xi32>) {
  %s:3 = memref.distinct_objects %o, %e, %off : memref<3x3xi32>, memref<6x3xi32>, memref<3xi32>
  %c1 = arith.constant 1 : index
  affine.for %b = 0 to 3 {
    %x = affine.load %s#2[%b] : memref<3xi32>
    %from = arith.index_cast %x : i32 to index
    %to = arith.addi %from, %from : index
    scf.for %k = %from to %to step %c1 {
      affine.for %d = 1 to 3 {
        %v = memref.load %s#1[%k, %d] : memref<6x3xi32>
        %t = affine.load %s#0[%b, %d - 1] : memref<3x3xi32>
        %u = arith.addi %t, %v : i32
        affine.store %u, %s#0[%b, %d] : memref<3x3xi32>
      }
    }
  }
  return
}

// Elements of one diagonal meet in several iterations of both loops, in an order that matters: each is twice the one before and an
// element.
// test: run-opt --entry=tied_diagonals --arg=iota --arg=iota --arg=ones
// expect: arg 2 = [1, 1, 1, 1, 1, 1, 1, 5, 6, 7, 1, 1, 1, 1, 8, 27, 30, 13]
func.func @tied_diagonals(%off: memref<3xi32>, %e: memref<6x3xi32>, %o: memref<3x6xi32>) {
  %s:3 = memref.distinct_objects %o, %e, %off : memref<3x6xi32>, memref<6x3xi32>, memref<3xi32>
  %c1 = arith.constant 1 : index
  affine.for %b = 0 to 3 {
    %x = affine.load %s#2[%b] : memref<3xi32>
    %from = arith.index_cast %x : i32 to index
    %to = arith.addi %from, %from : index
    scf.for %k = %from to %to step %c1 {
      affine.for %d = 0 to 3 {
        %v = memref.load %s#1[%k, %d] : memref<6x3xi32>
        %q = arith.addi %k, %d : index
        %t = memref.load %s#0[%b, %q] : memref<3x6xi32>
        %w = arith.addi %t, %t : i32
        %u = arith.addi %w, %v : i32
        memref.store %u, %s#0[%b, %q] : memref<3x6xi32>
      }
    }
  }
  return
}
