// A small array private to each iteration, inside a parallel loop.
//     out[i, j] = the (j + 1)-th smallest of a[i, 0..7]          for 0 <= i < 45
// by exchange sort in the scratch array.

func.func @scratch(%a: memref<45x7xf32>, %out: memref<45x7xf32>) {
  affine.for %i = 0 to 45 {
    %s = memref.alloca() : memref<7xf32>
    affine.for %j = 0 to 7 {
      %x = affine.load %a[%i, %j] : memref<45x7xf32>
      affine.store %x, %s[%j] : memref<7xf32>
    }
    affine.for %p = 0 to 6 {
      affine.for %q = affine_map<(d0) -> (d0 + 1)>(%p) to 7 {
        %x = affine.load %s[%p] : memref<7xf32>
        %y = affine.load %s[%q] : memref<7xf32>
        %ordered = arith.cmpf ole, %x, %y : f32
        %low = arith.select %ordered, %x, %y : f32
        %high = arith.select %ordered, %y, %x : f32
        affine.store %low, %s[%p] : memref<7xf32>
        affine.store %high, %s[%q] : memref<7xf32>
      }
    }
    affine.for %j = 0 to 7 {
      %x = affine.load %s[%j] : memref<7xf32>
      affine.store %x, %out[%i, %j] : memref<45x7xf32>
    }
  }
  return
}
