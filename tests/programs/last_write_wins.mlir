// Every row writes the same elements; the last row in order is what stays.
//     out[j] = a[i, j]          for i = 0, 1, ..., 24 in that order, 0 <= j < 40
//     odd[j / 2] = a[3, j]      for j = 0, 1, ..., 39 in that order

func.func @last_write_wins(%a: memref<25x40xi32>, %out: memref<40xi32>, %odd: memref<20xi32>) {
  affine.for %i = 0 to 25 {
    affine.for %j = 0 to 40 {
      %x = affine.load %a[%i, %j] : memref<25x40xi32>
      affine.store %x, %out[%j] : memref<40xi32>
    }
  }
  affine.for %j = 0 to 40 {
    %x = affine.load %a[3, %j] : memref<25x40xi32>
    affine.store %x, %odd[%j floordiv 2] : memref<20xi32>
  }
  return
}
