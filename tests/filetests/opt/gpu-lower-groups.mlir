// test: opt --gpu-lower-groups
module attributes {gpu.container_module} {
  gpu.module @kernels {
    // Both exchanges go through one piece of workgroup memory, with barriers before and after each is filled.
    gpu.func @exchange(%out: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %one = arith.constant 1 : i32
      %width = arith.constant 32 : i32
      %t = gpu.thread_id x
      %i = arith.index_cast %t : index to i32
      %f = arith.sitofp %i : i32 to f32
      %most = gpu.all_reduce %f {
      ^bb0(%lhs: f32, %rhs: f32):
        %m = arith.maximumf %lhs, %rhs : f32
        gpu.yield %m : f32
      } : (f32) -> (f32)
      %next, %valid = gpu.shuffle down %f, %one, %width : f32
      %x = arith.select %valid, %next, %most : f32
      memref.store %x, %out[%t] : memref<64xf32>
      gpu.return
    }
    // Threads come different numbers of times: all of them run the loop until none has an iteration left.
    gpu.func @uneven(%out: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %f = arith.constant 1.0 : f32
      %t = gpu.thread_id x
      scf.for %k = %c0 to %t step %c1 {
        %sum = gpu.subgroup_reduce add %f : (f32) -> (f32)
        memref.store %sum, %out[%t] : memref<64xf32>
      }
      gpu.return
    }
    // Left: threads choose between three ways.
    gpu.func @choice(%out: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %f = arith.constant 1.0 : f32
      %t = gpu.thread_id x
      scf.index_switch %t
      case 0 {
        %sum = gpu.subgroup_reduce add %f : (f32) -> (f32)
        memref.store %sum, %out[%t] : memref<64xf32>
        scf.yield
      }
      case 1 {
        scf.yield
      }
      default {
      }
      gpu.return
    }
    // Left: how many threads there are is not known.
    gpu.func @open(%out: memref<64xf32>) kernel {
      %f = arith.constant 1.0 : f32
      %t = gpu.thread_id x
      %sum = gpu.all_reduce add %f {} : (f32) -> (f32)
      memref.store %sum, %out[%t] : memref<64xf32>
      gpu.return
    }
  }
}
