// test: spirv
// Vectors of four in a buffer at multiples of four: one access each, through a view of the
// binding whose elements are vectors; both are Aliased. naga has one variable a binding: there
// each element is accessed by itself.
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
