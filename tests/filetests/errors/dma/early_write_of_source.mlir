// Between the chunks of a strided transfer memory is free, in them it is not.
//
// test: error run --device=cpu
// error: 13:3: this writes to the source of a transfer that has not been waited for
func.func @f(%a: memref<4x4xi32>) {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  %fast = memref.alloc() : memref<4xi32, 1>
  %tag = memref.alloc() : memref<1xi32>
  affine.dma_start %a[1, 1], %fast[0], %tag[0], %c4, %c4, %c2 : memref<4x4xi32>, memref<4xi32, 1>, memref<1xi32>
  affine.store %zero, %a[1, 3] : memref<4x4xi32>
  affine.store %zero, %a[2, 2] : memref<4x4xi32>
  affine.dma_wait %tag[0], %c4 : memref<1xi32>
  return
}
