// The three ways of dividing in affine expressions, for i - 4 = -4, -3, … 3 by 3:
// floordiv rounds down, ceildiv up, mod is never negative.
//
// test: run --arg=zeros
// expect: arg 0 = [[-2, -1, 2], [-1, -1, 0], [-1, 0, 1], [-1, 0, 2], [0, 0, 0], [0, 1, 1], [0, 1, 2], [1, 1, 0]]
func.func @f(%out: memref<8x3xi32>) {
  affine.for %i = 0 to 8 {
    %floor = affine.apply affine_map<(d0) -> ((d0 - 4) floordiv 3)>(%i)
    %ceil = affine.apply affine_map<(d0) -> ((d0 - 4) ceildiv 3)>(%i)
    %mod = affine.apply affine_map<(d0) -> ((d0 - 4) mod 3)>(%i)
    %0 = arith.index_cast %floor : index to i32
    affine.store %0, %out[%i, 0] : memref<8x3xi32>
    %1 = arith.index_cast %ceil : index to i32
    affine.store %1, %out[%i, 1] : memref<8x3xi32>
    %2 = arith.index_cast %mod : index to i32
    affine.store %2, %out[%i, 2] : memref<8x3xi32>
  }
  return
}
