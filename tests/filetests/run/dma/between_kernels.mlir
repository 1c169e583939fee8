// The newest data lie on the device before and after each transfer: kernels write
// the source, and kernels read the destination.
//
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [0, 0, 30, 50, 0, 0, 70, 90]
func.func @f(%a: memref<16xi32>, %b: memref<2x4xi32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : i32
  %cst1 = arith.constant 1 : i32
  %wide = memref.alloc() : memref<16xi32>
  %fast = memref.alloc() : memref<4xi32, 1>
  %tag = memref.alloc() : memref<1xi32>
  affine.for %i = 0 to 16 {
    %x = affine.load %a[%i] : memref<16xi32>
    %y = arith.addi %x, %x : i32
    %z = arith.addi %y, %cst1 : i32
    affine.store %z, %wide[%i] : memref<16xi32>
  }
  affine.dma_start %wide[1], %fast[0], %tag[0], %c4 : memref<16xi32>, memref<4xi32, 1>, memref<1xi32>
  affine.dma_wait %tag[0], %c4 : memref<1xi32>
  affine.for %i = 0 to 4 {
    %x = affine.load %fast[%i] : memref<4xi32, 1>
    %y = arith.muli %x, %c10 : i32
    affine.store %y, %fast[%i] : memref<4xi32, 1>
  }
  affine.dma_start %fast[0], %b[0, 2], %tag[0], %c4, %c4, %c2 : memref<4xi32, 1>, memref<2x4xi32>, memref<1xi32>
  affine.dma_wait %tag[0], %c4 : memref<1xi32>
  return
}
