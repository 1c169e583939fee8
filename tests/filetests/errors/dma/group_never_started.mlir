// The workgroup waits for a tag element that it has started nothing with.
//
// test: error run --device=cpu --no-offload --arg=iota
// error: 15:5: no transfer was started with this tag
func.func @f(%a: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %v = arith.constant 7 : i32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1)
             workgroup(%s : memref<4xi32, 3>) private(%tag : memref<2xi32, 5>) {
    memref.dma_start %a[%c0], %s[%c0], %c4, %tag[%c0] : memref<8xi32>, memref<4xi32, 3>, memref<2xi32, 5>
    memref.dma_wait %tag[%c1], %c4 : memref<2xi32, 5>
    gpu.terminator
  }
  return
}
