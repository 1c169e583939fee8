// Lanes of an element are padded one by one then: one scalar cannot stand for them all.
//
// test: error opt --lower-vector-elements
// error: 6:8: it has a padding whose lanes may differ
func.func @padding(%a: memref<4xvector<2xf32>>, %i: index, %pad: vector<2xf32>) -> vector<2x2xf32> {
  %v = vector.transfer_read %a[%i], %pad : memref<4xvector<2xf32>>, vector<2x2xf32>
  return %v : vector<2x2xf32>
}
