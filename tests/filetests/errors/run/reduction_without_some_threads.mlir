// A reduction of the workgroup that half of its threads do not come to.
//
// test: error run --device=cpu --arg=zeros
// error: 24:5: some threads wait at an operation of their whole workgroup or subgroup that others never reach
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @half(%out: memref<8xi32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
      %c4 = arith.constant 4 : index
      %t = gpu.thread_id x
      %i = arith.index_cast %t : index to i32
      %low = arith.cmpi ult, %t, %c4 : index
      scf.if %low {
        %sum = gpu.all_reduce add %i {} : (i32) -> (i32)
        memref.store %sum, %out[%t] : memref<8xi32>
      }
      gpu.return
    }
  }
  func.func @main(%out: memref<8xi32>) {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index

    // Reported at the launch, as a barrier that some never reach is.
    gpu.launch_func @kernels::@half blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%out : memref<8xi32>)
    return
  }
}
