// Each thread brings a row of a matrix into its own memory, of which it writes the
// reverse back; rows beyond the last are no thread's business. No thread waits for
// another, so they need not come together.
//
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [2, 1, 0, 5, 4, 3, 8, 7, 6]
func.func @f(%a: memref<3x3xi32>, %b: memref<3x3xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1)
             private(%row : memref<3xi32, #gpu.address_space<private>>,
                     %back : memref<3xi32, #gpu.address_space<private>>,
                     %tag : memref<1xi32, #gpu.address_space<private>>) {
    %mine = arith.cmpi ult, %tx, %c3 : index
    scf.if %mine {
      memref.dma_start %a[%tx, %c0], %row[%c0], %c3, %tag[%c0]
        : memref<3x3xi32>, memref<3xi32, #gpu.address_space<private>>, memref<1xi32, #gpu.address_space<private>>
      memref.dma_wait %tag[%c0], %c3 : memref<1xi32, #gpu.address_space<private>>
      affine.for %i = 0 to 3 {
        %x = affine.load %row[%i] : memref<3xi32, #gpu.address_space<private>>
        affine.store %x, %back[-%i + 2] : memref<3xi32, #gpu.address_space<private>>
      }
      memref.dma_start %back[%c0], %b[%tx, %c0], %c3, %tag[%c0]
        : memref<3xi32, #gpu.address_space<private>>, memref<3x3xi32>, memref<1xi32, #gpu.address_space<private>>
      memref.dma_wait %tag[%c0], %c3 : memref<1xi32, #gpu.address_space<private>>
    }
    gpu.terminator
  }
  return
}
