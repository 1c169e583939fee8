// test: opt --affine-loop-unroll-jam=unroll-jam-factor=2
// test: run-opt --arg=iota
// expect: arg 0 = [[0, 1, 2, 3], [1, 3, 5, 7], [4, 8, 12, 11], [12, 20, 23, 15]]
// Row i reads what row i - 1 has written one column further on: side by side, it would not be written yet. From
// a[i, j] = 4 i + j, a[i, j] = a[i - 1, j] + a[i - 1, j + 1] but in the last column.
func.func @main(%a: memref<4x4xi32>) {
  affine.for %i = 1 to 4 {
    affine.for %j = 0 to 3 {
      %up = affine.load %a[%i - 1, %j] : memref<4x4xi32>
      %next = affine.load %a[%i - 1, %j + 1] : memref<4x4xi32>
      %s = arith.addi %up, %next : i32
      affine.store %s, %a[%i, %j] : memref<4x4xi32>
    }
  }
  return
}
