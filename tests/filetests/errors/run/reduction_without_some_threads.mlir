// A reduction of the workgroup that half of its threads do not come to, although it says that all do or none.
//
// test: error run --device=cpu --arg=zeros
// error: 13:16: 4 of the 8 threads of the workgroup come to this operation together; 'uniform' says that all of them come here or none
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @half(%out: memref<8xi32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
      %c4 = arith.constant 4 : index
      %t = gpu.thread_id x
      %i = arith.index_cast %t : index to i32
      %low = arith.cmpi ult, %t, %c4 : index
      scf.if %low {
        %sum = gpu.all_reduce add %i uniform {} : (i32) -> (i32)
        memref.store %sum, %out[%t] : memref<8xi32>
      }
      gpu.return
    }
  }
  func.func @main(%out: memref<8xi32>) {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    gpu.launch_func @kernels::@half blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%out : memref<8xi32>)
    return
  }
}
