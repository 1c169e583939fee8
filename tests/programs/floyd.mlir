// All shortest paths (Floyd and Warshall): the outer loop is sequential, and
// row k and column k are read and written in the same sweep.
//     d[i, j] = min(d[i, j], d[i, k] + d[k, j])     for k = 0, 1, ..., 25; 0 <= i, j < 26

func.func @floyd(%d: memref<26x26xi32>) {
  affine.for %k = 0 to 26 {
    affine.for %i = 0 to 26 {
      affine.for %j = 0 to 26 {
        %direct = affine.load %d[%i, %j] : memref<26x26xi32>
        %there = affine.load %d[%i, %k] : memref<26x26xi32>
        %onward = affine.load %d[%k, %j] : memref<26x26xi32>
        %around = arith.addi %there, %onward : i32
        %short = arith.minsi %direct, %around : i32
        affine.store %short, %d[%i, %j] : memref<26x26xi32>
      }
    }
  }
  return
}
