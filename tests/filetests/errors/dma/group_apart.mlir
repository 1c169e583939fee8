// Only some threads of the workgroup start the transfer, which all are to start.
//
// test: error run --device=cpu --no-offload --arg=iota
// error: 9:3: some threads of the workgroup wait at a barrier that others never reach
func.func @f(%a: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1)
             workgroup(%s : memref<4xi32, 3>, %tag : memref<1xi32, 3>) {
    %some = arith.cmpi ult, %tx, %c1 : index
    scf.if %some {
      memref.dma_start %a[%c0], %s[%c0], %c4, %tag[%c0] : memref<8xi32>, memref<4xi32, 3>, memref<1xi32, 3>
      memref.dma_wait %tag[%c0], %c4 : memref<1xi32, 3>
    }
    gpu.terminator
  }
  return
}
