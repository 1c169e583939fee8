// Between the waits for two transfers each thread stores what another one reads behind the second
// wait, which is a barrier for all memory.
//
// test: run --arg=iota --arg=iota --arg=zeros
// expect: arg 2 = [63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63]
// test: run --map-for=gpu --arg=iota --arg=iota --arg=zeros
// expect: arg 2 = [63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63]
func.func @f(%a: memref<64xi32>, %b: memref<64xi32>, %d: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             workgroup(%s : memref<64xi32, 3>, %s1 : memref<64xi32, 3>, %s2 : memref<64xi32, 3>, %tag : memref<2xi32, 3>) {
    memref.dma_start %a[%c0], %s[%c0], %c64, %tag[%c0] : memref<64xi32>, memref<64xi32, 3>, memref<2xi32, 3>
    memref.dma_start %b[%c0], %s1[%c0], %c64, %tag[%c1] : memref<64xi32>, memref<64xi32, 3>, memref<2xi32, 3>
    memref.dma_wait %tag[%c0], %c64 : memref<2xi32, 3>
    %i = arith.subi %c63, %tx : index
    %y0 = memref.load %s[%i] : memref<64xi32, 3>
    memref.store %y0, %s2[%tx] : memref<64xi32, 3>
    memref.dma_wait %tag[%c1], %c64 : memref<2xi32, 3>
    %x = memref.load %s1[%i] : memref<64xi32, 3>
    %y = memref.load %s2[%i] : memref<64xi32, 3>
    %z = arith.addi %x, %y : i32
    memref.store %z, %d[%tx] : memref<64xi32>
    gpu.terminator
  }
  return
}
