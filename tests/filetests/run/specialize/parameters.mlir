// test: run --entry=complex --arg=2+1i --arg=iota[3] --arg=2
// expect: arg 1 = [0, 0, 2, 1, 2, 0]
// test: run --entry=vectors --arg=ones[3x4] --arg=2 --arg=true
// expect: arg 0 = [2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1]
// test: run --entry=integers --arg=iota[2x3] --arg=2 --arg=3 --arg=10
// expect: arg 0 = [10, 11, 12, 13, 14, 15]
// test: run --entry=returned --arg=iota[4] --arg=3
// expect: result 0 = [1, 2, 3, 3]

// A complex number is two arguments, and its memref has one dimension more.
func.func @complex(%k: complex<f32>, %x: memref<?xcomplex<f32>>, %n: index) {
  affine.for %i = 0 to %n {
    %v = affine.load %x[%i] : memref<?xcomplex<f32>>
    %w = complex.mul %v, %k : complex<f32>
    affine.store %w, %x[%i] : memref<?xcomplex<f32>>
  }
  return
}

// As a memref of vectors has.
func.func @vectors(%x: memref<?xvector<4xi32>>, %n: i16, %go: i1) {
  %to = arith.index_castui %n : i16 to index
  affine.for %i = 0 to %to {
    %v = affine.load %x[%i] : memref<?xvector<4xi32>>
    %w = arith.addi %v, %v : vector<4xi32>
    scf.if %go {
      affine.store %w, %x[%i] : memref<?xvector<4xi32>>
    }
  }
  return
}

// Sizes as C passes them.
func.func @integers(%x: memref<?x?xi32>, %m: i32, %n: i32, %k: i32) {
  %rows = arith.index_cast %m : i32 to index
  %all = arith.muli %m, %n : i32
  %per = arith.divsi %all, %m : i32
  %columns = arith.index_cast %per : i32 to index
  affine.for %i = 0 to %rows {
    affine.for %j = 0 to %columns {
      %v = affine.load %x[%i, %j] : memref<?x?xi32>
      %w = arith.addi %v, %k : i32
      affine.store %w, %x[%i, %j] : memref<?x?xi32>
    }
  }
  return
}

// What comes back has the type that it had.
func.func @returned(%x: memref<?xi32>, %n: index) -> memref<?xi32> {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to %n {
    %v = affine.load %x[%i] : memref<?xi32>
    %w = arith.addi %v, %one : i32
    affine.store %w, %x[%i] : memref<?xi32>
  }
  return %x : memref<?xi32>
}
