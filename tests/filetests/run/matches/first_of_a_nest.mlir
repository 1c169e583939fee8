// The first and the last element of a matrix in a range, row by row: x[i, j] = 90 i + j.
// test: run --arg=iota[70x90] --arg=3000 --arg=3003
// expect: result 0 = 33
// expect: result 1 = 31
// expect: result 2 = 33
// expect: result 3 = 32
// test: run --arg=iota[70x90] --arg=6300 --arg=6301
// expect: result 0 = -1
// expect: result 1 = -1
// expect: result 2 = -1
// expect: result 3 = -1
// test: run --arg=iota[1x1] --arg=-1 --arg=1
// expect: result 0 = 0
// expect: result 1 = 0
// expect: result 2 = 0
// expect: result 3 = 0
func.func @matches(%x: memref<?x?xi32>, %low: i32, %high: i32) -> (index, index, i32, i32) {
  %no = arith.constant false
  %yes = arith.constant true
  %none = arith.constant -1 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xi32>
  %m = memref.dim %x, %c1 : memref<?x?xi32>
  %first:3 = affine.for %i = 0 to %n iter_args(%f = %no, %p = %none, %q = %none) -> (i1, index, index) {
    %row:3 = affine.for %j = 0 to %m iter_args(%g = %f, %u = %p, %v = %q) -> (i1, index, index) {
      %a = affine.load %x[%i, %j] : memref<?x?xi32>
      %above = arith.cmpi sgt, %a, %low : i32
      %below = arith.cmpi slt, %a, %high : i32
      %hit = arith.andi %above, %below : i1
      %r:3 = scf.if %hit -> (i1, index, index) {
        %s:2 = scf.if %g -> (index, index) {
          scf.yield %u, %v : index, index
        } else {
          scf.yield %i, %j : index, index
        }
        scf.yield %yes, %s#0, %s#1 : i1, index, index
      } else {
        scf.yield %g, %u, %v : i1, index, index
      }
      affine.yield %r#0, %r#1, %r#2 : i1, index, index
    }
    affine.yield %row#0, %row#1, %row#2 : i1, index, index
  }
  %at = memref.alloc() : memref<2xi32>
  %minus = arith.constant -1 : i32
  affine.store %minus, %at[0] : memref<2xi32>
  affine.store %minus, %at[1] : memref<2xi32>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %a = affine.load %x[%i, %j] : memref<?x?xi32>
      %above = arith.cmpi sgt, %a, %low : i32
      %below = arith.cmpi slt, %a, %high : i32
      %hit = arith.andi %above, %below : i1
      scf.if %hit {
        %k = arith.index_cast %i : index to i32
        %l = arith.index_cast %j : index to i32
        affine.store %k, %at[0] : memref<2xi32>
        affine.store %l, %at[1] : memref<2xi32>
      }
    }
  }
  %k = affine.load %at[0] : memref<2xi32>
  %l = affine.load %at[1] : memref<2xi32>
  memref.dealloc %at : memref<2xi32>
  return %first#1, %first#2, %k, %l : index, index, i32, i32
}
