// A loop uses a vector of the host: its kernel is passed the elements. It is mapped, or there would be no kernel to translate.
// test: spirv
// test: run --arg=iota --arg=iota
// expect: arg 0 = [0, 2, 4, 6, 4, 6, 8, 10, 8, 10, 12, 14]
func.func @main(%x: memref<3x4xf32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %v = vector.load %y[%c0] : memref<4xf32>, vector<4xf32>
  affine.for %i = 0 to 3 {
    %w = affine.vector_load %x[%i, 0] : memref<3x4xf32>, vector<4xf32>
    %s = arith.addf %v, %w : vector<4xf32>
    affine.vector_store %s, %x[%i, 0] : memref<3x4xf32>, vector<4xf32>
  }
  return
}
