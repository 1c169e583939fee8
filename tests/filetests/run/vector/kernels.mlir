// test: run --arg=iota --arg=iota --arg=zeros
// expect: arg 2 = [0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 39, 42, 45]
// test: roundtrip
// Vectors of four in a kernel, aligned: y = x + 2 z with x = z = 0, 1, …, 15.
func.func @kernels(%x: memref<16xf32>, %z: memref<16xf32>, %y: memref<16xf32>) {
  %two = arith.constant 2.0 : f32
  %twos = vector.broadcast %two : f32 to vector<4xf32>
  affine.for %i = 0 to 16 step 4 {
    %a = affine.vector_load %x[%i] : memref<16xf32>, vector<4xf32>
    %b = affine.vector_load %z[%i] : memref<16xf32>, vector<4xf32>
    %p = arith.mulf %b, %twos : vector<4xf32>
    %s = arith.addf %a, %p : vector<4xf32>
    affine.vector_store %s, %y[%i] : memref<16xf32>, vector<4xf32>
  }
  return
}
