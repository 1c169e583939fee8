// Where matrices lie, their products and elementwise operations. The values are Python's, from the addresses
// that the operations say: element (r, c) lies leadDimension * r + c behind the first one, or
// leadDimension * c + r where it is transposed.
// test: run --entry=places --arg=iota --arg=iota --arg=zeros
// expect: arg 2 = [[0, 4, 8, 12], [1, 5, 9, 13], [1, 2, 3, 4], [4, 5, 6, 7], [0, 4, 0, 0], [1, 5, 0, 0], [2, 3, 4, 5], [7, 8, 9, 10]]
// test: run --entry=floats --arg=zeros --arg=zeros
// expect: arg 1 = [[2.5, 2.5], [1.5, -5.5], [1, -6], [4, -0.375], [2, 4], [0.5, -1.5], [-2, 1.5]]
// test: run --entry=integers --arg=zeros --arg=zeros
// expect: arg 1 = [[-4, 3], [-10, 1], [-21, 2], [-2, 2], [1431655763, 2], [7, -2]]
// test: run --entry=halves --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [[2.5, 3.5], [6.5, 11.5]]
// expect: arg 2 = [[2.5, 3.5], [6.5, 11.5], [2.5, 3.5], [6.5, 11.5]]
// test: run --entry=transposed --arg=iota --arg=zeros
// expect: arg 1 = [[15, 42], [18, 54], [15, 42], [18, 54]]

func.func @places(%a: memref<4x4xf32>, %flat: memref<16xf32>, %d: memref<8x4xf32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k2 = arith.constant 2 : index
    %k4 = arith.constant 4 : index
    %k6 = arith.constant 6 : index
    %x = gpu.subgroup_mma_load_matrix %a[%k0, %k0] {leadDimension = 4 : index, transpose} : memref<4x4xf32> -> !gpu.mma_matrix<2x4xf32, "COp">
    gpu.subgroup_mma_store_matrix %x, %d[%k0, %k0] {leadDimension = 4 : index} : !gpu.mma_matrix<2x4xf32, "COp">, memref<8x4xf32>
    %y = gpu.subgroup_mma_load_matrix %a[%k0, %k1] {leadDimension = 3 : index} : memref<4x4xf32> -> !gpu.mma_matrix<2x4xf32, "COp">
    gpu.subgroup_mma_store_matrix %y, %d[%k2, %k0] {leadDimension = 4 : index} : !gpu.mma_matrix<2x4xf32, "COp">, memref<8x4xf32>
    %z = gpu.subgroup_mma_load_matrix %a[%k0, %k0] {leadDimension = 4 : index} : memref<4x4xf32> -> !gpu.mma_matrix<2x2xf32, "COp">
    gpu.subgroup_mma_store_matrix %z, %d[%k4, %k0] {leadDimension = 4 : index, transpose} : !gpu.mma_matrix<2x2xf32, "COp">, memref<8x4xf32>
    %w = gpu.subgroup_mma_load_matrix %flat[%k2] {leadDimension = 5 : index} : memref<16xf32> -> !gpu.mma_matrix<2x4xf32, "COp">
    gpu.subgroup_mma_store_matrix %w, %d[%k6, %k0] {leadDimension = 4 : index} : !gpu.mma_matrix<2x4xf32, "COp">, memref<8x4xf32>
    gpu.terminator
  }
  return
}

// Of 2 and 0.5 in the first column, and of -1.5 and 4 in the second one.
func.func @floats(%m: memref<2x2xf32>, %d: memref<7x2xf32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %v0 = arith.constant 2.0 : f32
  affine.store %v0, %m[0, 0] : memref<2x2xf32>
  %v1 = arith.constant -1.5 : f32
  affine.store %v1, %m[0, 1] : memref<2x2xf32>
  %v2 = arith.constant 0.5 : f32
  affine.store %v2, %m[1, 0] : memref<2x2xf32>
  %v3 = arith.constant 4.0 : f32
  affine.store %v3, %m[1, 1] : memref<2x2xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k2 = arith.constant 2 : index
    %k3 = arith.constant 3 : index
    %k4 = arith.constant 4 : index
    %k5 = arith.constant 5 : index
    %k6 = arith.constant 6 : index
    %x = gpu.subgroup_mma_load_matrix %m[%k0, %k0] {leadDimension = 2 : index} : memref<2x2xf32> -> !gpu.mma_matrix<1x2xf32, "COp">
    %y = gpu.subgroup_mma_load_matrix %m[%k1, %k0] {leadDimension = 2 : index} : memref<2x2xf32> -> !gpu.mma_matrix<1x2xf32, "COp">
    %r0 = gpu.subgroup_mma_elementwise addf %x, %y : (!gpu.mma_matrix<1x2xf32, "COp">, !gpu.mma_matrix<1x2xf32, "COp">) -> !gpu.mma_matrix<1x2xf32, "COp">
    gpu.subgroup_mma_store_matrix %r0, %d[%k0, %k0] {leadDimension = 2 : index} : !gpu.mma_matrix<1x2xf32, "COp">, memref<7x2xf32>
    %r1 = gpu.subgroup_mma_elementwise subf %x, %y : (!gpu.mma_matrix<1x2xf32, "COp">, !gpu.mma_matrix<1x2xf32, "COp">) -> !gpu.mma_matrix<1x2xf32, "COp">
    gpu.subgroup_mma_store_matrix %r1, %d[%k1, %k0] {leadDimension = 2 : index} : !gpu.mma_matrix<1x2xf32, "COp">, memref<7x2xf32>
    %r2 = gpu.subgroup_mma_elementwise mulf %x, %y : (!gpu.mma_matrix<1x2xf32, "COp">, !gpu.mma_matrix<1x2xf32, "COp">) -> !gpu.mma_matrix<1x2xf32, "COp">
    gpu.subgroup_mma_store_matrix %r2, %d[%k2, %k0] {leadDimension = 2 : index} : !gpu.mma_matrix<1x2xf32, "COp">, memref<7x2xf32>
    %r3 = gpu.subgroup_mma_elementwise divf %x, %y : (!gpu.mma_matrix<1x2xf32, "COp">, !gpu.mma_matrix<1x2xf32, "COp">) -> !gpu.mma_matrix<1x2xf32, "COp">
    gpu.subgroup_mma_store_matrix %r3, %d[%k3, %k0] {leadDimension = 2 : index} : !gpu.mma_matrix<1x2xf32, "COp">, memref<7x2xf32>
    %r4 = gpu.subgroup_mma_elementwise maxf %x, %y : (!gpu.mma_matrix<1x2xf32, "COp">, !gpu.mma_matrix<1x2xf32, "COp">) -> !gpu.mma_matrix<1x2xf32, "COp">
    gpu.subgroup_mma_store_matrix %r4, %d[%k4, %k0] {leadDimension = 2 : index} : !gpu.mma_matrix<1x2xf32, "COp">, memref<7x2xf32>
    %r5 = gpu.subgroup_mma_elementwise minf %x, %y : (!gpu.mma_matrix<1x2xf32, "COp">, !gpu.mma_matrix<1x2xf32, "COp">) -> !gpu.mma_matrix<1x2xf32, "COp">
    gpu.subgroup_mma_store_matrix %r5, %d[%k5, %k0] {leadDimension = 2 : index} : !gpu.mma_matrix<1x2xf32, "COp">, memref<7x2xf32>
    %r6 = gpu.subgroup_mma_elementwise negatef %x : (!gpu.mma_matrix<1x2xf32, "COp">) -> !gpu.mma_matrix<1x2xf32, "COp">
    gpu.subgroup_mma_store_matrix %r6, %d[%k6, %k0] {leadDimension = 2 : index} : !gpu.mma_matrix<1x2xf32, "COp">, memref<7x2xf32>
    gpu.terminator
  }
  return
}

// Of -7 and 3, and of 2 and 1.
func.func @integers(%m: memref<2x2xi32>, %d: memref<6x2xi32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %v0 = arith.constant -7 : i32
  affine.store %v0, %m[0, 0] : memref<2x2xi32>
  %v1 = arith.constant 2 : i32
  affine.store %v1, %m[0, 1] : memref<2x2xi32>
  %v2 = arith.constant 3 : i32
  affine.store %v2, %m[1, 0] : memref<2x2xi32>
  %v3 = arith.constant 1 : i32
  affine.store %v3, %m[1, 1] : memref<2x2xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k2 = arith.constant 2 : index
    %k3 = arith.constant 3 : index
    %k4 = arith.constant 4 : index
    %k5 = arith.constant 5 : index
    %x = gpu.subgroup_mma_load_matrix %m[%k0, %k0] {leadDimension = 2 : index} : memref<2x2xi32> -> !gpu.mma_matrix<1x2xi32, "COp">
    %y = gpu.subgroup_mma_load_matrix %m[%k1, %k0] {leadDimension = 2 : index} : memref<2x2xi32> -> !gpu.mma_matrix<1x2xi32, "COp">
    %r0 = gpu.subgroup_mma_elementwise addi %x, %y : (!gpu.mma_matrix<1x2xi32, "COp">, !gpu.mma_matrix<1x2xi32, "COp">) -> !gpu.mma_matrix<1x2xi32, "COp">
    gpu.subgroup_mma_store_matrix %r0, %d[%k0, %k0] {leadDimension = 2 : index} : !gpu.mma_matrix<1x2xi32, "COp">, memref<6x2xi32>
    %r1 = gpu.subgroup_mma_elementwise subi %x, %y : (!gpu.mma_matrix<1x2xi32, "COp">, !gpu.mma_matrix<1x2xi32, "COp">) -> !gpu.mma_matrix<1x2xi32, "COp">
    gpu.subgroup_mma_store_matrix %r1, %d[%k1, %k0] {leadDimension = 2 : index} : !gpu.mma_matrix<1x2xi32, "COp">, memref<6x2xi32>
    %r2 = gpu.subgroup_mma_elementwise muli %x, %y : (!gpu.mma_matrix<1x2xi32, "COp">, !gpu.mma_matrix<1x2xi32, "COp">) -> !gpu.mma_matrix<1x2xi32, "COp">
    gpu.subgroup_mma_store_matrix %r2, %d[%k2, %k0] {leadDimension = 2 : index} : !gpu.mma_matrix<1x2xi32, "COp">, memref<6x2xi32>
    %r3 = gpu.subgroup_mma_elementwise divs %x, %y : (!gpu.mma_matrix<1x2xi32, "COp">, !gpu.mma_matrix<1x2xi32, "COp">) -> !gpu.mma_matrix<1x2xi32, "COp">
    gpu.subgroup_mma_store_matrix %r3, %d[%k3, %k0] {leadDimension = 2 : index} : !gpu.mma_matrix<1x2xi32, "COp">, memref<6x2xi32>
    %r4 = gpu.subgroup_mma_elementwise divu %x, %y : (!gpu.mma_matrix<1x2xi32, "COp">, !gpu.mma_matrix<1x2xi32, "COp">) -> !gpu.mma_matrix<1x2xi32, "COp">
    gpu.subgroup_mma_store_matrix %r4, %d[%k4, %k0] {leadDimension = 2 : index} : !gpu.mma_matrix<1x2xi32, "COp">, memref<6x2xi32>
    %r5 = gpu.subgroup_mma_elementwise negates %x : (!gpu.mma_matrix<1x2xi32, "COp">) -> !gpu.mma_matrix<1x2xi32, "COp">
    gpu.subgroup_mma_store_matrix %r5, %d[%k5, %k0] {leadDimension = 2 : index} : !gpu.mma_matrix<1x2xi32, "COp">, memref<6x2xi32>
    gpu.terminator
  }
  return
}

// Factors of half precision, with a sum of half and one of single precision; a matrix of the first kind made one of
// the second.
func.func @halves(%a: memref<2x2xf16>, %d: memref<2x2xf16>, %e: memref<4x2xf32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %k0 = arith.constant 0 : index
    %k2 = arith.constant 2 : index
    %h = arith.constant 0.5 : f16
    %s = arith.constant 0.5 : f32
    %x = gpu.subgroup_mma_load_matrix %a[%k0, %k0] {leadDimension = 2 : index} : memref<2x2xf16> -> !gpu.mma_matrix<2x2xf16, "AOp">
    %y = gpu.subgroup_mma_load_matrix %a[%k0, %k0] {leadDimension = 2 : index} : memref<2x2xf16> -> !gpu.mma_matrix<2x2xf16, "BOp">
    %z = gpu.subgroup_mma_constant_matrix %h : !gpu.mma_matrix<2x2xf16, "COp">
    %w = gpu.subgroup_mma_constant_matrix %s : !gpu.mma_matrix<2x2xf32, "COp">
    %p = gpu.subgroup_mma_compute %x, %y, %z : !gpu.mma_matrix<2x2xf16, "AOp">, !gpu.mma_matrix<2x2xf16, "BOp"> -> !gpu.mma_matrix<2x2xf16, "COp">
    %q = gpu.subgroup_mma_compute %x, %y, %w : !gpu.mma_matrix<2x2xf16, "AOp">, !gpu.mma_matrix<2x2xf16, "BOp"> -> !gpu.mma_matrix<2x2xf32, "COp">
    gpu.subgroup_mma_store_matrix %p, %d[%k0, %k0] {leadDimension = 2 : index} : !gpu.mma_matrix<2x2xf16, "COp">, memref<2x2xf16>
    gpu.subgroup_mma_store_matrix %q, %e[%k0, %k0] {leadDimension = 2 : index} : !gpu.mma_matrix<2x2xf32, "COp">, memref<4x2xf32>
    %r = gpu.subgroup_mma_elementwise extf %p : (!gpu.mma_matrix<2x2xf16, "COp">) -> !gpu.mma_matrix<2x2xf32, "COp">
    gpu.subgroup_mma_store_matrix %r, %e[%k2, %k0] {leadDimension = 2 : index} : !gpu.mma_matrix<2x2xf32, "COp">, memref<4x2xf32>
    gpu.terminator
  }
  return
}

// Both factors lie by columns, and the product is told so; each of two subgroups stores one.
func.func @transposed(%a: memref<3x3xf32>, %d: memref<4x2xf32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %k0 = arith.constant 0 : index
    %k16 = arith.constant 16 : index
    %zero = arith.constant 0.0 : f32
    %at = arith.divui %tx, %k16 : index
    %x = gpu.subgroup_mma_load_matrix %a[%k0, %k0] {leadDimension = 3 : index, transpose} : memref<3x3xf32> -> !gpu.mma_matrix<2x3xf32, "AOp">
    %y = gpu.subgroup_mma_load_matrix %a[%k0, %k0] {leadDimension = 3 : index, transpose} : memref<3x3xf32> -> !gpu.mma_matrix<3x2xf32, "BOp">
    %z = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<2x2xf32, "COp">
    %p = gpu.subgroup_mma_compute %x, %y, %z {a_transpose, b_transpose} : !gpu.mma_matrix<2x3xf32, "AOp">, !gpu.mma_matrix<3x2xf32, "BOp"> -> !gpu.mma_matrix<2x2xf32, "COp">
    gpu.subgroup_mma_store_matrix %p, %d[%at, %k0] {leadDimension = 2 : index} : !gpu.mma_matrix<2x2xf32, "COp">, memref<4x2xf32>
    gpu.terminator
  }
  return
}
