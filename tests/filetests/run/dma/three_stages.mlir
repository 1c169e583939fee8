// Three buffers, and transfers two iterations ahead: two are in flight while the oldest is waited
// for. The first elements lie at odd places, so that no vector does.
//
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [480, 475, 470, 465, 460, 455, 450, 445, 440, 435, 430, 425, 420, 415, 410, 405, 400, 395, 390, 385, 380, 375, 370, 365, 360, 355, 350, 345, 340, 335, 330, 325]
// test: run --map-for=gpu --arg=iota --arg=zeros
// expect: arg 1 = [480, 475, 470, 465, 460, 455, 450, 445, 440, 435, 430, 425, 420, 415, 410, 405, 400, 395, 390, 385, 380, 375, 370, 365, 360, 355, 350, 345, 340, 335, 330, 325]
func.func @f(%a: memref<161xi16>, %b: memref<32xi16>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0 : i16
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1)
             workgroup(%s : memref<3x32xi16, 3>) private(%tag : memref<3xi32, 5>) {
    affine.dma_start %a[(0) * 32 + 1], %s[(0) mod 3, 0], %tag[(0) mod 3], %c32 : memref<161xi16>, memref<3x32xi16, 3>, memref<3xi32, 5>
    affine.dma_start %a[(1) * 32 + 1], %s[(1) mod 3, 0], %tag[(1) mod 3], %c32 : memref<161xi16>, memref<3x32xi16, 3>, memref<3xi32, 5>
    %sum = affine.for %k = 0 to 5 iter_args(%acc = %zero) -> (i16) {
      affine.if affine_set<(d0) : (-d0 + 2 >= 0)>(%k) {
        affine.dma_start %a[(%k + 2) * 32 + 1], %s[(%k + 2) mod 3, 0], %tag[(%k + 2) mod 3], %c32 : memref<161xi16>, memref<3x32xi16, 3>, memref<3xi32, 5>
      }
      affine.dma_wait %tag[%k mod 3], %c32 : memref<3xi32, 5>
      %x = affine.load %s[%k mod 3, -%tx + 31] : memref<3x32xi16, 3>
      %next = arith.addi %acc, %x : i16
      affine.yield %next : i16
    }
    affine.store %sum, %b[%tx] : memref<32xi16>
    gpu.terminator
  }
  return
}
