// What only moves elements about leaves no operation behind, but where data says which element.
//
// test: opt --lower-vectors
// test: run-opt --arg=iota --arg=zeros --arg=1
func.func @moves(%a: memref<2x3xf32>, %out: memref<12xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %x = vector.load %a[%c0, %c0] : memref<2x3xf32>, vector<2x3xf32>
  %t = vector.transpose %x, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  %flat = vector.shape_cast %t : vector<3x2xf32> to vector<6xf32>
  %pairs = vector.interleave %flat, %flat : vector<6xf32> -> vector<12xf32>
  %even, %odd = vector.deinterleave %pairs : vector<12xf32> -> vector<6xf32>
  %row = vector.extract %x[%n] : vector<3xf32> from vector<2x3xf32>
  %more = vector.insert %row, %x[%n] : vector<3xf32> into vector<2x3xf32>
  %corner = vector.extract %more[1, 2] : f32 from vector<2x3xf32>
  %all = vector.broadcast %corner : f32 to vector<6xf32>
  %both = vector.shuffle %odd, %all [0, 7, 2, 9, 4, 11] : vector<6xf32>, vector<6xf32>
  %wide = vector.insert_strided_slice %both, %pairs {offsets = [3], strides = [1]}
    : vector<6xf32> into vector<12xf32>
  vector.store %wide, %out[%c0] : memref<12xf32>, vector<12xf32>
  return
}
