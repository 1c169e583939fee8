// Each lane of a subgroup holds its share of matrices that four rows of eight lanes divide.
// test: opt --gpu-lower-mma --canonicalize --cse
// test: run-opt --entry=sum --arg=iota --arg=iota --arg=iota
// expect: arg 2 = [1, 4, 7, 10, 13, 16, 19, 22, 11, 22, 33, 44, 55, 66, 77, 88, 21, 40, 59, 78, 97, 116, 135, 154, 31, 58, 85, 112, 139, 166, 193, 220]
// test: run-opt --entry=in_place --arg=iota --arg=ones
// expect: arg 0 = [28, 28, 28, 28, 28, 28, 28, 28, 92, 92, 92, 92, 92, 92, 92, 92, 156, 156, 156, 156, 156, 156, 156, 156, 220, 220, 220, 220, 220, 220, 220, 220, 284, 284, 284, 284, 284, 284, 284, 284, 348, 348, 348, 348, 348, 348, 348, 348, 412, 412, 412, 412, 412, 412, 412, 412, 476, 476, 476, 476, 476, 476, 476, 476]
// test: run --entry=sum --arg=iota --arg=iota --arg=iota
// expect: arg 2 = [1, 4, 7, 10, 13, 16, 19, 22, 11, 22, 33, 44, 55, 66, 77, 88, 21, 40, 59, 78, 97, 116, 135, 154, 31, 58, 85, 112, 139, 166, 193, 220]
// test: run --entry=in_place --arg=iota --arg=ones
// expect: arg 0 = [28, 28, 28, 28, 28, 28, 28, 28, 92, 92, 92, 92, 92, 92, 92, 92, 156, 156, 156, 156, 156, 156, 156, 156, 220, 220, 220, 220, 220, 220, 220, 220, 284, 284, 284, 284, 284, 284, 284, 284, 348, 348, 348, 348, 348, 348, 348, 348, 412, 412, 412, 412, 412, 412, 412, 412, 476, 476, 476, 476, 476, 476, 476, 476]
// test: run --entry=in_turns --arg=iota --arg=zeros
// expect: arg 1 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]

// c[i, j] + sum over k of a[i, k] * b[j, k] = 8 i + j + 2 i * 2 j + (2 i + 1) * (2 j + 1) = 10 i + 3 j + 8 i j + 1
func.func @sum(%a: memref<4x2xf32>, %b: memref<8x2xf32>, %c: memref<4x8xf32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %x = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 2 : index} : memref<4x2xf32> -> !gpu.mma_matrix<4x2xf32, "AOp">
    %y = gpu.subgroup_mma_load_matrix %b[%c0, %c0] {leadDimension = 2 : index, transpose} : memref<8x2xf32> -> !gpu.mma_matrix<2x8xf32, "BOp">
    %z = gpu.subgroup_mma_load_matrix %c[%c0, %c0] {leadDimension = 8 : index} : memref<4x8xf32> -> !gpu.mma_matrix<4x8xf32, "COp">
    %p = gpu.subgroup_mma_compute %x, %y, %z : !gpu.mma_matrix<4x2xf32, "AOp">, !gpu.mma_matrix<2x8xf32, "BOp"> -> !gpu.mma_matrix<4x8xf32, "COp">
    gpu.subgroup_mma_store_matrix %p, %c[%c0, %c0] {leadDimension = 8 : index} : !gpu.mma_matrix<4x8xf32, "COp">, memref<4x8xf32>
    gpu.terminator
  }
  return
}

// The product replaces a factor, of which each lane has loaded whole rows: 64 i + 28.
func.func @in_place(%a: memref<8x8xf32>, %b: memref<8x8xf32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %x = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 8 : index} : memref<8x8xf32> -> !gpu.mma_matrix<8x8xf32, "AOp">
    %y = gpu.subgroup_mma_load_matrix %b[%c0, %c0] {leadDimension = 8 : index} : memref<8x8xf32> -> !gpu.mma_matrix<8x8xf32, "BOp">
    %z = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<8x8xf32, "COp">
    %p = gpu.subgroup_mma_compute %x, %y, %z : !gpu.mma_matrix<8x8xf32, "AOp">, !gpu.mma_matrix<8x8xf32, "BOp"> -> !gpu.mma_matrix<8x8xf32, "COp">
    gpu.subgroup_mma_store_matrix %p, %a[%c0, %c0] {leadDimension = 8 : index} : !gpu.mma_matrix<8x8xf32, "COp">, memref<8x8xf32>
    gpu.terminator
  }
  return
}

// One of two subgroups stores, so that threads could not wait for each other there: its first lane does.
func.func @in_turns(%a: memref<4x8xf32>, %b: memref<4x8xf32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %z = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 8 : index} : memref<4x8xf32> -> !gpu.mma_matrix<4x8xf32, "COp">
    %second = arith.cmpi uge, %tx, %c32 : index
    scf.if %second {
      gpu.subgroup_mma_store_matrix %z, %b[%c0, %c0] {leadDimension = 8 : index} : !gpu.mma_matrix<4x8xf32, "COp">, memref<4x8xf32>
    }
    gpu.terminator
  }
  return
}
