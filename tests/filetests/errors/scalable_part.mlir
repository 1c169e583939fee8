// test: error run --arg=zeros
// error: 9:8: the part at 4 of 4 elements ends behind the vector, which has 4 elements

// A vscale of 1 has no room for this part.

func.func @f(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %v = vector.load %x[%c0] : memref<4xf32>, vector<[4]xf32>
  %p = vector.scalable.extract %v[4] : vector<4xf32> from vector<[4]xf32>
  vector.store %p, %x[%c0] : memref<4xf32>, vector<4xf32>
  return
}
