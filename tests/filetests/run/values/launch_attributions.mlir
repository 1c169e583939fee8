// `gpu.launch` with memory of the workgroup and of each thread: each group of 4 is reversed.
//
// test: run --arg=iota
// expect: arg 0 = [3, 2, 1, 0, 7, 6, 5, 4]
func.func @reverse(%x: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1)
             workgroup(%tile : memref<4xf32, #gpu.address_space<workgroup>>)
             private(%own : memref<1xf32, #gpu.address_space<private>>) {
    %b = arith.muli %bx, %c4 : index
    %i = arith.addi %b, %tx : index
    %v = memref.load %x[%i] : memref<8xf32>
    memref.store %v, %tile[%tx] : memref<4xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %r = arith.subi %c3, %tx : index
    %w = memref.load %tile[%r] : memref<4xf32, #gpu.address_space<workgroup>>
    memref.store %w, %own[%c0] : memref<1xf32, #gpu.address_space<private>>
    %u = memref.load %own[%c0] : memref<1xf32, #gpu.address_space<private>>
    memref.store %u, %x[%i] : memref<8xf32>
    gpu.terminator
  }
  return
}
