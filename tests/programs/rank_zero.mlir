// Sums kept in arrays of rank 0: one passed in, one allocated.
//     total = total + sum of a[i, j];   rows[i] = sum over j of a[i, j]
//     for 0 <= i < 13, 0 <= j < 31

func.func @rank_zero(%a: memref<13x31xi32>, %total: memref<i32>, %rows: memref<13xi32>) {
  %zero = arith.constant 0 : i32
  %row = memref.alloc() : memref<i32>
  affine.for %i = 0 to 13 {
    affine.store %zero, %row[] : memref<i32>
    affine.for %j = 0 to 31 {
      %x = affine.load %a[%i, %j] : memref<13x31xi32>
      %t0 = affine.load %total[] : memref<i32>
      %t1 = arith.addi %t0, %x : i32
      affine.store %t1, %total[] : memref<i32>
      %r0 = affine.load %row[] : memref<i32>
      %r1 = arith.addi %r0, %x : i32
      affine.store %r1, %row[] : memref<i32>
    }
    %r = memref.load %row[] : memref<i32>
    affine.store %r, %rows[%i] : memref<13xi32>
  }
  memref.dealloc %row : memref<i32>
  return
}
