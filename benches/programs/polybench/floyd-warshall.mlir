// floyd-warshall: the lengths of the shortest paths between all pairs of 60 nodes.
func.func @floyd_warshall(%path: memref<60x60xi32>) {
  affine.for %k = 0 to 60 {
    affine.for %i = 0 to 60 {
      affine.for %j = 0 to 60 {
        %path_ij = affine.load %path[%i, %j] : memref<60x60xi32>
        %path_ik = affine.load %path[%i, %k] : memref<60x60xi32>
        %path_kj = affine.load %path[%k, %j] : memref<60x60xi32>
        %sum = arith.addi %path_ik, %path_kj : i32
        %less = arith.cmpi slt, %path_ij, %sum : i32
        %least = arith.select %less, %path_ij, %sum : i32
        affine.store %least, %path[%i, %j] : memref<60x60xi32>
      }
    }
  }
  return
}
