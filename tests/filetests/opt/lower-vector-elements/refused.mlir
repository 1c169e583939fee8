// A memref of vectors without a rank has no innermost dimensions to give.
//
// test: error opt --lower-vector-elements
// error: 6:8: vectors inside 'memref<*xvector<4xf32>>' cannot be lowered
func.func @unranked(%a: memref<4xvector<4xf32>>) {
  %u = memref.cast %a : memref<4xvector<4xf32>> to memref<*xvector<4xf32>>
  return
}
