// Operations of two lines and a loop: each block says a place anew, and what counts the loop is of the loop's line.
//
// test: spirv --debuginfo
// test: shaders --debuginfo
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @sums(%a: memref<4x8xf32>, %b: memref<4xf32>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %zero = arith.constant 0.0 : f32
      %i = gpu.thread_id x
      %s = scf.for %j = %c0 to %c8 step %c1 iter_args(%t = %zero) -> f32 {
        %v = memref.load %a[%i, %j] : memref<4x8xf32>
        %n = arith.addf %t, %v : f32
        scf.yield %n : f32
      }
      memref.store %s, %b[%i] : memref<4xf32>
      gpu.return
    }
  }
}
