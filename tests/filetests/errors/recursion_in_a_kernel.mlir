// Kernels have no calls: a function that calls itself cannot be inlined.
// test: error compile --emit=spirv
// error: 13:10: 'func.call' has no lowering to SPIR-V: 'inline' replaces calls of functions of the kernel's gpu.module, but not of those that call themselves, have loops of branches with several entries, or no body
gpu.module @m {
  func.func @down(%n: i32) -> i32 {
    %one = arith.constant 1 : i32
    %m = arith.subi %n, %one : i32
    %f = func.call @down(%m) : (i32) -> i32
    return %f : i32
  }
  gpu.func @k(%o: memref<1xi32>, %n: i32) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.thread_id x
    %f = func.call @down(%n) : (i32) -> i32
    memref.store %f, %o[%x] : memref<1xi32>
    gpu.return
  }
}
