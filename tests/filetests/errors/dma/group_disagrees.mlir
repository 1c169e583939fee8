// Each thread names another place, where all move the elements together.
//
// test: error run --device=cpu --no-offload --arg=iota
// error: 12:5: threads of the workgroup start different transfers here
func.func @f(%a: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c2, %sy = %c1, %sz = %c1)
             workgroup(%s : memref<4xi32, 3>, %tag : memref<1xi32, 3>) {
    memref.dma_start %a[%tx], %s[%c0], %c2, %tag[%c0] : memref<8xi32>, memref<4xi32, 3>, memref<1xi32, 3>
    memref.dma_wait %tag[%c0], %c2 : memref<1xi32, 3>
    gpu.terminator
  }
  return
}
