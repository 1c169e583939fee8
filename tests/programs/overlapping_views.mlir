// Two views of one array, shifted by one: written through one name, read
// through the other. That is a running sum, not a parallel loop.
//     x[i + 1] = x[i] + x[i + 1]          for i = 0, 1, ..., 62, in that order
// Then two views that never meet, the even and the odd elements: parallel.
//     x[2 * i] = x[2 * i + 1] * 3         for 0 <= i < 32

func.func @overlapping_views(%x: memref<64xi32>) {
  %three = arith.constant 3 : i32
  %front = memref.subview %x[0] [63] [1] : memref<64xi32> to memref<63xi32, strided<[1]>>
  %back = memref.subview %x[1] [63] [1] : memref<64xi32> to memref<63xi32, strided<[1], offset: 1>>
  affine.for %i = 0 to 63 {
    %a = affine.load %front[%i] : memref<63xi32, strided<[1]>>
    %b = affine.load %back[%i] : memref<63xi32, strided<[1], offset: 1>>
    %c = arith.addi %a, %b : i32
    affine.store %c, %back[%i] : memref<63xi32, strided<[1], offset: 1>>
  }
  %even = memref.subview %x[0] [32] [2] : memref<64xi32> to memref<32xi32, strided<[2]>>
  %odd = memref.subview %x[1] [32] [2] : memref<64xi32> to memref<32xi32, strided<[2], offset: 1>>
  affine.for %i = 0 to 32 {
    %a = affine.load %odd[%i] : memref<32xi32, strided<[2], offset: 1>>
    %b = arith.muli %a, %three : i32
    affine.store %b, %even[%i] : memref<32xi32, strided<[2]>>
  }
  return
}
