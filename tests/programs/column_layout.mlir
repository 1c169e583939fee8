// Layout maps: an argument whose rows of 5 lie 8 apart in memory,
// and an allocation stored column by column, then copied.
//     t[i, j] = a[i, j] * 2;   out = t;   padded[i, j] = a[i, j] + out[i, j]
//     for 0 <= i < 13, 0 <= j < 5

#columns = affine_map<(d0, d1) -> (d1, d0)>
#rows_of_8 = affine_map<(d0, d1) -> (d0 * 8 + d1)>

func.func @column_layout(%a: memref<13x5xi32>, %out: memref<13x5xi32>, %padded: memref<13x5xi32, #rows_of_8>) {
  %two = arith.constant 2 : i32
  %t = memref.alloc() : memref<13x5xi32, #columns>
  affine.for %i = 0 to 13 {
    affine.for %j = 0 to 5 {
      %x = affine.load %a[%i, %j] : memref<13x5xi32>
      %y = arith.muli %x, %two : i32
      affine.store %y, %t[%i, %j] : memref<13x5xi32, #columns>
    }
  }
  memref.copy %t, %out : memref<13x5xi32, #columns> to memref<13x5xi32>
  affine.for %i = 0 to 13 {
    affine.for %j = 0 to 5 {
      %x = affine.load %a[%i, %j] : memref<13x5xi32>
      %y = affine.load %out[%i, %j] : memref<13x5xi32>
      %z = arith.addi %x, %y : i32
      affine.store %z, %padded[%i, %j] : memref<13x5xi32, #rows_of_8>
    }
  }
  memref.dealloc %t : memref<13x5xi32, #columns>
  return
}
