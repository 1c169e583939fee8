// Accesses through one reshaped memref of open sizes are compared by its indices; those through others may be anywhere.
// test: opt --affine-parallelize
// test: run --no-specialize --entry=collapsed --arg=iota[2x3]
// expect: arg 0 = [0, 3, 6, 9, 12, 15]
// test: run --no-specialize --entry=collapsed --arg=iota[1x1]
// expect: arg 0 = [0]
// test: run --no-specialize --entry=expanded --arg=iota[6] --arg=2
// expect: arg 0 = [0, 2, 4, 3, 5, 7]
// test: run --no-specialize --entry=both --arg=iota[2x3]
// expect: arg 0 = [0, 0, 0, 0, 0, 0]
// test: run --no-specialize --entry=collapsed --arg=iota[0x3]
// test: run --no-specialize --entry=collapsed --arg=random:1[67x33]
// test: run --no-specialize --entry=expanded --arg=random:1[2145] --arg=715

func.func @collapsed(%x: memref<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %flat = memref.collapse_shape %x [[0, 1]] : memref<?x?xi32> into memref<?xi32>
  %n = memref.dim %flat, %c0 : memref<?xi32>
  affine.for %i = 0 to %n {
    %a = affine.load %flat[%i] : memref<?xi32>
    %j = arith.index_cast %i : index to i32
    %b = arith.addi %a, %a : i32
    %c = arith.addi %b, %j : i32
    affine.store %c, %flat[%i] : memref<?xi32>
  }
  return
}

// Rows of 3, to which the number of the column is added.
func.func @expanded(%x: memref<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %rows = memref.expand_shape %x [[0, 1]] output_shape [%n, 3] : memref<?xi32> into memref<?x3xi32>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 3 {
      %a = affine.load %rows[%i, %j] : memref<?x3xi32>
      %k = arith.index_cast %j : index to i32
      %b = arith.addi %a, %k : i32
      affine.store %b, %rows[%i, %j] : memref<?x3xi32>
    }
  }
  return
}

// What is read may have been written through the other: sequential.
func.func @both(%x: memref<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %flat = memref.collapse_shape %x [[0, 1]] : memref<?x?xi32> into memref<?xi32>
  %m = memref.dim %x, %c0 : memref<?x?xi32>
  %n = memref.dim %x, %c1 : memref<?x?xi32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %a = affine.load %flat[0] : memref<?xi32>
      affine.store %a, %x[%i, %j] : memref<?x?xi32>
    }
  }
  return
}
