// Kernels of two functions in one module: types, constants and variables are made once.
//
// test: spirv
// test: shaders --kernel=double_kernel0
// test: shaders --kernel=square_kernels::square_kernel0
func.func @double(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    %v = affine.load %x[%i] : memref<?xf32>
    %w = arith.addf %v, %v : f32
    affine.store %w, %x[%i] : memref<?xf32>
  }
  return
}
func.func @square(%x: memref<64xf32>, %y: memref<64xf32>) {
  affine.for %i = 0 to 64 {
    %v = affine.load %x[%i] : memref<64xf32>
    %w = arith.mulf %v, %v : f32
    affine.store %w, %y[%i] : memref<64xf32>
  }
  return
}
