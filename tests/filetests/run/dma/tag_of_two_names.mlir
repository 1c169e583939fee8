// A tag element with two subscripts: the strides of its memref overlap, so that the wait names the tag
// of the start though no subscript is equal, and the reads come after its barrier.
//
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [7, 6, 5, 4, 3, 2, 1, 0]
// test: run --map-for=gpu --arg=iota --arg=zeros
// expect: arg 1 = [7, 6, 5, 4, 3, 2, 1, 0]
func.func @f(%a: memref<16xi32>, %b: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1)
             workgroup(%s : memref<8xi32, 3>) private(%one : memref<4xi32, 5>) {
    %tag = memref.reinterpret_cast %one to offset: [0], sizes: [2, 2], strides: [1, 1] : memref<4xi32, 5> to memref<2x2xi32, strided<[1, 1]>, 5>
    memref.dma_start %a[%c0], %s[%c0], %c8, %tag[%c0, %c1] : memref<16xi32>, memref<8xi32, 3>, memref<2x2xi32, strided<[1, 1]>, 5>
    memref.dma_wait %tag[%c1, %c0], %c8 : memref<2x2xi32, strided<[1, 1]>, 5>
    %other = arith.subi %c7, %tx : index
    %x = memref.load %s[%other] : memref<8xi32, 3>
    memref.store %x, %b[%tx] : memref<8xi32>
    gpu.terminator
  }
  return
}
