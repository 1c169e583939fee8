// test: run --arg=zeros[101x120] --arg=101 --arg=120
// expect: result 0 = [2099201976]
// binomial(219, 100) ways through a grid modulo 2^32, sizes known when it runs, by steps right and down;
// the number is Python's.
func.func @paths(%p: memref<?x?xi32>, %m: index, %n: index) -> i32 {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to %m {
    affine.store %one, %p[%i, 0] : memref<?x?xi32>
  }
  affine.for %j = 0 to %n {
    affine.store %one, %p[0, %j] : memref<?x?xi32>
  }
  affine.for %i = 1 to %m {
    affine.for %j = 1 to %n {
      %up = affine.load %p[%i - 1, %j] : memref<?x?xi32>
      %left = affine.load %p[%i, %j - 1] : memref<?x?xi32>
      %sum = arith.addi %up, %left : i32
      affine.store %sum, %p[%i, %j] : memref<?x?xi32>
    }
  }
  %last = affine.load %p[100, 119] : memref<?x?xi32>
  return %last : i32
}
