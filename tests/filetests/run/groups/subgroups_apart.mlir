// Subgroups go their own ways: the second of two reduces, the first does not.
// Threads 32 to 63 add up to 32 * 95 / 2.
// test: run --arg=zeros
// expect: arg 0 = [0, 1520]
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @apart(%out: memref<2xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c32 = arith.constant 32 : index
      %t = gpu.thread_id x
      %i = arith.index_cast %t : index to i32
      %subgroup = gpu.subgroup_id : index
      %lane = gpu.lane_id
      %c0 = arith.constant 0 : index
      %second = arith.cmpi uge, %t, %c32 : index
      scf.if %second {
        %sum = gpu.subgroup_reduce add %i : (i32) -> (i32)
        %first = arith.cmpi eq, %lane, %c0 : index
        scf.if %first {
          memref.store %sum, %out[%subgroup] : memref<2xi32>
        }
      }
      gpu.return
    }
  }
  func.func @main(%out: memref<2xi32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@apart blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%out : memref<2xi32>)
    return
  }
}
