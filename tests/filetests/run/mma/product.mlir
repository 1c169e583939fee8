// test: run --arg=iota --arg=iota --arg=zeros
// expect: arg 2 = [[2240, 2296, 2352, 2408, 2464, 2520, 2576, 2632], [5824, 6008, 6192, 6376, 6560, 6744, 6928, 7112]]

// A product of 2x8 and 8x8, the sum carried through a loop, by one subgroup of 32 lanes:
//     d[i, j] = 2 * sum over k of a[i, k] * b[k, j]
module attributes {gpu.container_module} {
  func.func @main(%a: memref<2x8xf32>, %b: memref<8x8xf32>, %d: memref<2x8xf32>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @m::@product blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
        args(%a : memref<2x8xf32>, %b : memref<8x8xf32>, %d : memref<2x8xf32>)
    return
  }
  gpu.module @m {
    gpu.func @product(%a: memref<2x8xf32>, %b: memref<8x8xf32>, %d: memref<2x8xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %zero = arith.constant 0.0 : f32
      %two = arith.constant 2.0 : f32
      %start = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<2x8xf32, "COp">
      %sum = scf.for %k = %c0 to %c8 step %c4 iter_args(%sum = %start) -> (!gpu.mma_matrix<2x8xf32, "COp">) {
        %x = gpu.subgroup_mma_load_matrix %a[%c0, %k] {leadDimension = 8 : index} : memref<2x8xf32> -> !gpu.mma_matrix<2x4xf32, "AOp">
        %y = gpu.subgroup_mma_load_matrix %b[%k, %c0] {leadDimension = 8 : index} : memref<8x8xf32> -> !gpu.mma_matrix<4x8xf32, "BOp">
        %next = gpu.subgroup_mma_compute %x, %y, %sum : !gpu.mma_matrix<2x4xf32, "AOp">, !gpu.mma_matrix<4x8xf32, "BOp"> -> !gpu.mma_matrix<2x8xf32, "COp">
        scf.yield %next : !gpu.mma_matrix<2x8xf32, "COp">
      }
      %scale = gpu.subgroup_mma_constant_matrix %two : !gpu.mma_matrix<2x8xf32, "COp">
      %scaled = gpu.subgroup_mma_elementwise mulf %sum, %scale : (!gpu.mma_matrix<2x8xf32, "COp">, !gpu.mma_matrix<2x8xf32, "COp">) -> !gpu.mma_matrix<2x8xf32, "COp">
      gpu.subgroup_mma_store_matrix %scaled, %d[%c0, %c0] {leadDimension = 8 : index} : !gpu.mma_matrix<2x8xf32, "COp">, memref<2x8xf32>
      gpu.return
    }
  }
}
