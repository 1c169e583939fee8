// Each workgroup counts and sums in memory of its own, then adds that to the whole. Bin b of 4 meets
// the threads b, b + 4, ... of 64: 16 of them, with a sum of 16 b + 4 * (0 + 1 + ... + 15).
// test: run --arg=zeros --arg=zeros
// expect: arg 0 = [16, 16, 16, 16]
// expect: arg 1 = [480, 496, 512, 528]
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @count(%counts: memref<4xi32>, %sums: memref<4xf32>)
        workgroup(%mine: memref<4xi32, #gpu.address_space<workgroup>>,
                  %total: memref<4xf32, #gpu.address_space<workgroup>>)
        private(%own: memref<1xf32, #gpu.address_space<private>>)
        kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %zero = arith.constant 0 : i32
      %zero_f = arith.constant 0.0 : f32
      %one = arith.constant 1 : i32
      %t = gpu.thread_id x
      %i = gpu.global_id x
      %first = arith.cmpi ult, %t, %c4 : index
      scf.if %first {
        memref.store %zero, %mine[%t] : memref<4xi32, #gpu.address_space<workgroup>>
        memref.store %zero_f, %total[%t] : memref<4xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %bin = arith.remui %i, %c4 : index
      %w = arith.index_cast %i : index to i32
      %v = arith.sitofp %w : i32 to f32
      memref.store %zero_f, %own[%c0] : memref<1xf32, #gpu.address_space<private>>
      %a = memref.atomic_rmw addf %v, %own[%c0] : (f32, memref<1xf32, #gpu.address_space<private>>) -> f32
      %x = memref.load %own[%c0] : memref<1xf32, #gpu.address_space<private>>
      %b = memref.atomic_rmw addi %one, %mine[%bin] : (i32, memref<4xi32, #gpu.address_space<workgroup>>) -> i32
      %c = memref.atomic_rmw addf %x, %total[%bin] : (f32, memref<4xf32, #gpu.address_space<workgroup>>) -> f32
      gpu.barrier
      scf.if %first {
        %n = memref.load %mine[%t] : memref<4xi32, #gpu.address_space<workgroup>>
        %s = memref.load %total[%t] : memref<4xf32, #gpu.address_space<workgroup>>
        %d = memref.atomic_rmw addi %n, %counts[%t] : (i32, memref<4xi32>) -> i32
        %e = memref.atomic_rmw addf %s, %sums[%t] : (f32, memref<4xf32>) -> f32
      }
      gpu.return
    }
  }
  func.func @main(%counts: memref<4xi32>, %sums: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    gpu.launch_func @kernels::@count blocks in (%c4, %c1, %c1) threads in (%c16, %c1, %c1)
      args(%counts : memref<4xi32>, %sums : memref<4xf32>)
    return
  }
}
