// Asynchronous operations in the shape of a diamond: two copies wait for one upload,
// and the kernels after them for both.
//
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [0, 11, 22, 33, 44, 55, 66, 77]
func.func @f(%a: memref<8xi32>, %b: memref<8xi32>) {
  %ten = arith.constant 10 : i32
  %zero = arith.constant 0 : i32
  %start = gpu.wait async
  %x, %t0 = gpu.alloc async [%start] () : memref<8xi32>
  %left, %t1 = gpu.alloc async [%start] () : memref<8xi32>
  %right, %t2 = gpu.alloc async [%start] () : memref<8xi32>
  %t3 = gpu.memcpy async [%t0] %x, %a : memref<8xi32>, memref<8xi32>
  %t4 = gpu.memset async [%t2] %right, %zero : memref<8xi32>, i32
  %t5 = gpu.memcpy async [%t1, %t3] %left, %x : memref<8xi32>, memref<8xi32>
  %t6 = gpu.memcpy async [%t4, %t3] %right, %x : memref<8xi32>, memref<8xi32>
  gpu.wait [%t5, %t6]
  affine.for %i = 0 to 8 {
    %u = affine.load %left[%i] : memref<8xi32>
    %v = affine.load %right[%i] : memref<8xi32>
    %w = arith.muli %v, %ten : i32
    %s = arith.addi %u, %w : i32
    affine.store %s, %left[%i] : memref<8xi32>
  }
  %t7 = gpu.wait async
  %t8 = gpu.memcpy async [%t7] %b, %left : memref<8xi32>, memref<8xi32>
  %t9 = gpu.dealloc async [%t8] %left : memref<8xi32>
  %t10 = gpu.dealloc async [%t8] %right : memref<8xi32>
  %t11 = gpu.dealloc async [%t8] %x : memref<8xi32>
  gpu.wait [%t9, %t10, %t11]
  return
}
