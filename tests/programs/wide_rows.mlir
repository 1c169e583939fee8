// Rows of 4096 elements, and a nest of four parallel loops of uneven sizes.
//     out[i, j] = a[i, j] + 1             for 0 <= i < 40, 0 <= j < 4096
//     box[w, z, y, x] = 1000 w + 100 z + 10 y + x     for w < 3, z < 2, y < 5, x < 9

func.func @wide_rows(%a: memref<40x4096xi32>, %out: memref<40x4096xi32>, %box: memref<3x2x5x9xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 4096 {
      %x = affine.load %a[%i, %j] : memref<40x4096xi32>
      %y = arith.addi %x, %one : i32
      affine.store %y, %out[%i, %j] : memref<40x4096xi32>
    }
  }
  affine.for %w = 0 to 3 {
    affine.for %z = 0 to 2 {
      affine.for %y = 0 to 5 {
        affine.for %x = 0 to 9 {
          %n = affine.apply affine_map<(d0, d1, d2, d3) -> (d0 * 1000 + d1 * 100 + d2 * 10 + d3)>(%w, %z, %y, %x)
          %n_i32 = arith.index_cast %n : index to i32
          affine.store %n_i32, %box[%w, %z, %y, %x] : memref<3x2x5x9xi32>
        }
      }
    }
  }
  return
}
