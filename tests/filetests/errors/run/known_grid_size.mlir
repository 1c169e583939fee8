// A launch that contradicts the grid size which its kernel promises: analyses rely on that.
// test: error run --device=cpu --arg=zeros
// error: 15:5: kernel 'k' is compiled for a grid of [4, 1, 1] workgroups and launched with [3, 1, 1]
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%x: memref<8xindex>) kernel attributes {known_grid_size = array<i32: 4, 1, 1>} {
      %t = gpu.global_id x
      memref.store %t, %x[%t] : memref<8xindex>
      gpu.return
    }
  }
  func.func @main(%x: memref<8xindex>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 3 : index
    gpu.launch_func @m::@k blocks in (%c2, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xindex>)
    return
  }
}
