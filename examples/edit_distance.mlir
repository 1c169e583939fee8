// edit_distance: how many insertions, deletions and replacements make one word of
// another (R. A. Wagner and M. J. Fischer, 1974).
//
//     d[i, 0] = i,  d[0, j] = j
//     d[i, j] = min(d[i-1, j] + 1, d[i, j-1] + 1, d[i-1, j-1] + (a[i-1] != b[j-1]))
//
// Arguments: a (512 × i32), b (640 × i32), d (513 × 641 × i32, written).
// Neither loop of the nest is parallel, but the elements of a diagonal i + j do not
// depend on each other, nor do tiles of them: the nest is skewed, and each diagonal of
// tiles is one launch of a kernel, as a remark says.
//
// Run:  gridloom run examples/edit_distance.mlir --arg random:1 --arg random:2 --arg zeros --remarks

func.func @edit_distance(%a: memref<512xi32>, %b: memref<640xi32>, %d: memref<513x641xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 513 {
    %cost = arith.index_cast %i : index to i32
    affine.store %cost, %d[%i, 0] : memref<513x641xi32>
  }
  affine.for %j = 0 to 641 {
    %cost = arith.index_cast %j : index to i32
    affine.store %cost, %d[0, %j] : memref<513x641xi32>
  }
  affine.for %i = 1 to 513 {
    affine.for %j = 1 to 641 {
      %x = affine.load %a[%i - 1] : memref<512xi32>
      %y = affine.load %b[%j - 1] : memref<640xi32>
      %differ = arith.cmpi ne, %x, %y : i32
      %replace = arith.extui %differ : i1 to i32
      %diagonal = affine.load %d[%i - 1, %j - 1] : memref<513x641xi32>
      %replaced = arith.addi %diagonal, %replace : i32
      %above = affine.load %d[%i - 1, %j] : memref<513x641xi32>
      %left = affine.load %d[%i, %j - 1] : memref<513x641xi32>
      %fewer = arith.minsi %above, %left : i32
      %moved = arith.addi %fewer, %one : i32
      %least = arith.minsi %moved, %replaced : i32
      affine.store %least, %d[%i, %j] : memref<513x641xi32>
    }
  }
  return
}
