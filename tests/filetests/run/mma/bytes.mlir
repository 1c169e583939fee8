// test: run --arg=zeros --arg=zeros
// Bytes with a sign times bytes without: -1 as a byte with a sign is 255 without.
//     d[i, j] = 3 + 4 * (-1 * 255)    for all of 2x2, of factors 2x4 and 4x2
// expect: arg 1 = [[-1017, -1017], [-1017, -1017]]
module attributes {gpu.container_module} {
  func.func @main(%a: memref<4x4xi8>, %d: memref<2x2xi32>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %less = arith.constant -1 : i8
    affine.for %i = 0 to 4 {
      affine.for %j = 0 to 4 {
        affine.store %less, %a[%i, %j] : memref<4x4xi8>
      }
    }
    gpu.launch_func @m::@product blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
        args(%a : memref<4x4xi8>, %d : memref<2x2xi32>)
    return
  }
  gpu.module @m {
    gpu.func @product(%a: memref<4x4xi8>, %d: memref<2x2xi32>) kernel {
      %c0 = arith.constant 0 : index
      %three = arith.constant 3 : i32
      %x = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 4 : index} : memref<4x4xi8> -> !gpu.mma_matrix<2x4xsi8, "AOp">
      %y = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 4 : index} : memref<4x4xi8> -> !gpu.mma_matrix<4x2xui8, "BOp">
      %z = gpu.subgroup_mma_constant_matrix %three : !gpu.mma_matrix<2x2xi32, "COp">
      %p = gpu.subgroup_mma_compute %x, %y, %z : !gpu.mma_matrix<2x4xsi8, "AOp">, !gpu.mma_matrix<4x2xui8, "BOp"> -> !gpu.mma_matrix<2x2xi32, "COp">
      gpu.subgroup_mma_store_matrix %p, %d[%c0, %c0] {leadDimension = 2 : index} : !gpu.mma_matrix<2x2xi32, "COp">, memref<2x2xi32>
      gpu.return
    }
  }
}
