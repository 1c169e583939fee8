// A kernel that the program brings, launched with the same buffer twice and with a workgroup size that only the
// launch says; a kernel that prints, which no SPIR-V is made of, stays a gpu.module with a warning.
//
// test: run-compiled --entry=main --arg=iota
// expect: arg 0 = 0 2 4 6
// warning: 22:7: gpu.module @prints is not compiled ahead of time
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @add(%a: memref<4xi32>, %b: memref<4xi32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %a[%i] : memref<4xi32>
      %w = memref.load %b[%i] : memref<4xi32>
      %s = arith.addi %v, %w : i32
      memref.store %s, %a[%i] : memref<4xi32>
      gpu.return
    }
  }
  gpu.module @prints {
    gpu.func @say(%a: memref<4xi32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %a[%i] : memref<4xi32>
      gpu.printf "%d\0A", %v : i32
      gpu.return
    }
  }
  func.func @main(%a: memref<4xi32>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    gpu.launch_func @kernels::@add blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
        args(%a : memref<4xi32>, %a : memref<4xi32>)
    gpu.launch_func @prints::@say blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
        args(%a : memref<4xi32>)
    return
  }
}
