// test: run --arg=iota --arg=iota --arg=zeros
// expect: arg 2 = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 1, 2, 2, 2, 0, 1, 2, 3, 3]
// The longest common subsequence of 0 1 2 and 0 1 2 3: its length in the last element.
func.func @lcs(%a: memref<3xi32>, %b: memref<4xi32>, %l: memref<4x5xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 1 to 4 {
    affine.for %j = 1 to 5 {
      %x = affine.load %a[%i - 1] : memref<3xi32>
      %y = affine.load %b[%j - 1] : memref<4xi32>
      %same = arith.cmpi eq, %x, %y : i32
      %diagonal = affine.load %l[%i - 1, %j - 1] : memref<4x5xi32>
      %longer = arith.addi %diagonal, %one : i32
      %up = affine.load %l[%i - 1, %j] : memref<4x5xi32>
      %left = affine.load %l[%i, %j - 1] : memref<4x5xi32>
      %kept = arith.maxsi %up, %left : i32
      %length = arith.select %same, %longer, %kept : i32
      affine.store %length, %l[%i, %j] : memref<4x5xi32>
    }
  }
  return
}
