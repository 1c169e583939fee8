// test: run --arg=zeros --arg=zeros
// expect: arg 0 = [29, 31, 28, 33, 35, 32, 34, 23, 36, 30, 27, 32, 34, 36, 33, 22, 35, 29, 31, 28, 33, 35, 32, 21]
// expect: arg 1 = [12, 15, 5, 18, 21, 11, 25, 27, 28, 43, 33, 46, 60, 63, 53, 55, 56, 71, 85, 75, 88, 91, 81, 83]

// Pooling with indices: of each 2x2 window of an 8x12 image the greatest element and where it stands in the image, whose
// elements are (29 * r + 13 * c) mod 37.
func.func @main(%pooled: memref<4x6xf32>, %places: memref<4x6xi32>) {
  %image = memref.alloc() : memref<8x12xf32>
  affine.for %r = 0 to 8 {
    affine.for %c = 0 to 12 {
      %at = affine.apply affine_map<(d0, d1) -> ((d0 * 29 + d1 * 13) mod 37)>(%r, %c)
      %w = arith.index_cast %at : index to i32
      %x = arith.sitofp %w : i32 to f32
      affine.store %x, %image[%r, %c] : memref<8x12xf32>
    }
  }
  %least = arith.constant 0xFF800000 : f32
  %none = arith.constant -1 : index
  affine.for %r = 0 to 4 {
    affine.for %c = 0 to 6 {
      %found:2 = affine.for %dr = 0 to 2 iter_args(%m = %least, %p = %none) -> (f32, index) {
        %row:2 = affine.for %dc = 0 to 2 iter_args(%n = %m, %q = %p) -> (f32, index) {
          %x = affine.load %image[%r * 2 + %dr, %c * 2 + %dc] : memref<8x12xf32>
          %is = arith.cmpf ogt, %x, %n : f32
          %at = affine.apply affine_map<(d0, d1, d2, d3) -> ((d0 * 2 + d1) * 12 + d2 * 2 + d3)>(%r, %dr, %c, %dc)
          %y = arith.maximumf %x, %n : f32
          %z = arith.select %is, %at, %q : index
          affine.yield %y, %z : f32, index
        }
        affine.yield %row#0, %row#1 : f32, index
      }
      affine.store %found#0, %pooled[%r, %c] : memref<4x6xf32>
      %place = arith.index_cast %found#1 : index to i32
      affine.store %place, %places[%r, %c] : memref<4x6xi32>
    }
  }
  memref.dealloc %image : memref<8x12xf32>
  return
}
