// gpu.launch with tokens: each waits for the one before, 0 … 3 doubled, then 1 added. The second has
// dynamic workgroup memory.
//
// test: run --arg=iota
// expect: arg 0 = [1, 3, 5, 7]
func.func @main(%x: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %bytes = arith.constant 16 : i32
  %start = gpu.wait async
  %doubled = gpu.launch async [%start] blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
                        threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%tx] : memref<4xi32>
    %w = arith.addi %v, %v : i32
    memref.store %w, %x[%tx] : memref<4xi32>
    gpu.terminator
  }
  %done = gpu.launch async [%doubled] blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
                     threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1)
                     dynamic_shared_memory_size %bytes {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %raw = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %own = memref.view %raw[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<4xi32, #gpu.address_space<workgroup>>
    %v = memref.load %x[%tx] : memref<4xi32>
    memref.store %v, %own[%tx] : memref<4xi32, #gpu.address_space<workgroup>>
    %u = memref.load %own[%tx] : memref<4xi32, #gpu.address_space<workgroup>>
    %w = arith.addi %u, %one : i32
    memref.store %w, %x[%tx] : memref<4xi32>
    gpu.terminator
  }
  gpu.wait [%done]
  return
}
