// Loads, stores and loops of memrefs of vectors: rows of four scalars each. Arguments are seen with
// the vector's dimension as their last one.
//
// Element (i, l) of the sum is (4 i + l) + 2 (4 i + l) = 12 i + 3 l.
//
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33]
func.func @double_and_add(%a: memref<3xvector<4xf32>>, %out: memref<3xvector<4xf32>>) {
  affine.for %i = 0 to 3 {
    %v = affine.load %a[%i] : memref<3xvector<4xf32>>
    %w = memref.load %a[%i] : memref<3xvector<4xf32>>
    %two = arith.addf %w, %w : vector<4xf32>
    %sum = arith.addf %v, %two : vector<4xf32>
    affine.store %sum, %out[%i] : memref<3xvector<4xf32>>
  }
  return
}
