// test: opt --convert-gpu-to-spirv
// test: translate --convert-gpu-to-spirv
// A loop that collects a value, and a store that only some threads do: a spirv.mlir.loop and a spirv.mlir.selection.
module attributes {gpu.container_module} {
  func.func @sums(%x: memref<4x8xf32>, %y: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    gpu.launch_func @m::@sum blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
        args(%x : memref<4x8xf32>, %y : memref<4xf32>)
    return
  }
  gpu.module @m {
    gpu.func @sum(%x: memref<4x8xf32>, %y: memref<4xf32>) kernel
        attributes {known_block_size = array<i32: 4, 1, 1>} {
      %row = gpu.thread_id x
      %zero = arith.constant 0.0 : f32
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c8 = arith.constant 8 : index
      %sum = scf.for %j = %c0 to %c8 step %c1 iter_args(%sum = %zero) -> (f32) {
        %v = memref.load %x[%row, %j] {gridloom.inbounds} : memref<4x8xf32>
        %next = arith.addf %sum, %v : f32
        scf.yield %next : f32
      }
      %writes = arith.cmpi slt, %row, %c3 : index
      scf.if %writes {
        memref.store %sum, %y[%row] {gridloom.inbounds} : memref<4xf32>
      }
      gpu.return
    }
  }
}
