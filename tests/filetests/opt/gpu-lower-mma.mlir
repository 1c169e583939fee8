// test: opt --gpu-lower-mma --canonicalize
// A product of small matrices, the second one loaded by columns; the matrix of another distance of rows stays.
gpu.module @m {
  gpu.func @product(%a: memref<4x8xf16>, %b: memref<8x8xf16>, %d: memref<4x8xf32>) kernel {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %x = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 8 : index} : memref<4x8xf16> -> !gpu.mma_matrix<2x2xf16, "AOp">
    %y = gpu.subgroup_mma_load_matrix %b[%c0, %c0] {leadDimension = 8 : index, transpose} : memref<8x8xf16> -> !gpu.mma_matrix<2x2xf16, "BOp">
    %z = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<2x2xf32, "COp">
    %p = gpu.subgroup_mma_compute %x, %y, %z : !gpu.mma_matrix<2x2xf16, "AOp">, !gpu.mma_matrix<2x2xf16, "BOp"> -> !gpu.mma_matrix<2x2xf32, "COp">
    gpu.subgroup_mma_store_matrix %p, %d[%c0, %c0] {leadDimension = 8 : index} : !gpu.mma_matrix<2x2xf32, "COp">, memref<4x8xf32>
    gpu.return
  }
  gpu.func @skewed(%a: memref<4x8xf32>) kernel {
    %c0 = arith.constant 0 : index
    %x = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 7 : index} : memref<4x8xf32> -> !gpu.mma_matrix<2x2xf32, "COp">
    gpu.subgroup_mma_store_matrix %x, %a[%c0, %c0] {leadDimension = 8 : index} : !gpu.mma_matrix<2x2xf32, "COp">, memref<4x8xf32>
    gpu.return
  }
}
