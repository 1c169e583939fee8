// Lower bounds that are not zero and steps that are not one and do not divide.
//     out[i, j] = a[i, j] + a[i - 2, j + 1]
//     for i = 2, 5, 8, ... < 50 and j = 1, 6, 11, ... < 39; the rest stays.

func.func @steps(%a: memref<50x40xf32>, %out: memref<50x40xf32>) {
  affine.for %i = 2 to 50 step 3 {
    affine.for %j = 1 to 39 step 5 {
      %x = affine.load %a[%i, %j] : memref<50x40xf32>
      %y = affine.load %a[%i - 2, %j + 1] : memref<50x40xf32>
      %z = arith.addf %x, %y : f32
      affine.store %z, %out[%i, %j] : memref<50x40xf32>
    }
  }
  return
}
