// floordiv, ceildiv and mod of negative numbers, in subscripts and as values.
// Division rounds down (floordiv) or up (ceildiv); mod is never negative.
//     for 0 <= i < 100, with d = i - 50:
//     out[i, 0] = table[d mod 7];              out[i, 1] = table[d floordiv 3 + 17]
//     out[i, 2] = table[d ceildiv 4 + 13];     out[i, 3] = (d * 5 + 3) mod 11 - d floordiv 8
//     out[i, 4] = min(d mod 5, d + 7);         out[i, 5] = max(d ceildiv 6, -3, 2 * d)

func.func @euclid(%table: memref<34xi32>, %out: memref<100x6xi32>) {
  affine.for %i = 0 to 100 {
    %a = affine.load %table[(%i - 50) mod 7] : memref<34xi32>
    affine.store %a, %out[%i, 0] : memref<100x6xi32>
    %b = affine.load %table[(%i - 50) floordiv 3 + 17] : memref<34xi32>
    affine.store %b, %out[%i, 1] : memref<100x6xi32>
    %c = affine.load %table[(%i - 50) ceildiv 4 + 13] : memref<34xi32>
    affine.store %c, %out[%i, 2] : memref<100x6xi32>
    %d = affine.apply affine_map<(d0) -> (((d0 - 50) * 5 + 3) mod 11 - (d0 - 50) floordiv 8)>(%i)
    %d_i32 = arith.index_cast %d : index to i32
    affine.store %d_i32, %out[%i, 3] : memref<100x6xi32>
    %e = affine.min affine_map<(d0) -> ((d0 - 50) mod 5, d0 - 43)>(%i)
    %e_i32 = arith.index_cast %e : index to i32
    affine.store %e_i32, %out[%i, 4] : memref<100x6xi32>
    %f = affine.max affine_map<(d0) -> ((d0 - 50) ceildiv 6, -3, d0 * 2 - 100)>(%i)
    %f_i32 = arith.index_cast %f : index to i32
    affine.store %f_i32, %out[%i, 5] : memref<100x6xi32>
  }
  return
}
