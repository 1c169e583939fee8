// Guards with and without an else, nested, storing to different arrays.
//     lower[i, j] = a[i, j]  where j <= i
//     upper[i, j] = a[i, j]  where j > i, and -a[i, j] where also j = i + 1
//     for 0 <= i < 25, 0 <= j < 29; the rest of both arrays stays.

#on_or_below = affine_set<(d0, d1) : (d0 - d1 >= 0)>
#beside = affine_set<(d0, d1) : (d1 - d0 - 1 == 0)>

func.func @branches(%a: memref<25x29xf32>, %lower: memref<25x29xf32>, %upper: memref<25x29xf32>) {
  affine.for %i = 0 to 25 {
    affine.for %j = 0 to 29 {
      %x = affine.load %a[%i, %j] : memref<25x29xf32>
      affine.if #on_or_below(%i, %j) {
        affine.store %x, %lower[%i, %j] : memref<25x29xf32>
      } else {
        affine.store %x, %upper[%i, %j] : memref<25x29xf32>
        affine.if #beside(%i, %j) {
          %y = arith.negf %x : f32
          affine.store %y, %upper[%i, %j] : memref<25x29xf32>
        }
      }
    }
  }
  return
}
