// A dependence that looks one way along j and the other along i, wide enough
// to cross workgroups: only the loop over j is parallel.
//     a[i, j] = a[i, j] + a[i - 1, j + 1] + a[i - 1, j - 1]     for 1 <= i < 40, 1 <= j < 149

func.func @diagonal_carries(%a: memref<40x150xi32>) {
  affine.for %i = 1 to 40 {
    affine.for %j = 1 to 149 {
      %x = affine.load %a[%i, %j] : memref<40x150xi32>
      %right = affine.load %a[%i - 1, %j + 1] : memref<40x150xi32>
      %left = affine.load %a[%i - 1, %j - 1] : memref<40x150xi32>
      %y = arith.addi %x, %right : i32
      %z = arith.addi %y, %left : i32
      affine.store %z, %a[%i, %j] : memref<40x150xi32>
    }
  }
  return
}
