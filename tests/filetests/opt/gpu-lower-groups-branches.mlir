// Shuffles that the first subgroup alone comes to: they leave its branch, in a loop or by themselves, from its
// `then` or its `else`, and nothing else does. What the branch computes for them is 0 in the other subgroups.
// The kernel adds 64 numbers: two sums of 32, which the first subgroup adds in a loop; the second one turns
// its numbers around by itself.
// test: opt --gpu-lower-groups --canonicalize
// test: run-opt --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [2016]
// expect: arg 2 = [63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32]
// test: run --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [2016]
// expect: arg 2 = [63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32]
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @sum(%x: memref<64xi32>, %y: memref<1xi32>, %z: memref<32xi32>) workgroup(%s: memref<2xi32, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      %zero = arith.constant 0 : i32
      %all = arith.constant 32 : i32
      %t = gpu.thread_id x
      %lane = gpu.lane_id
      %v = memref.load %x[%t] : memref<64xi32>
      %a = gpu.subgroup_reduce add %v : (i32) -> i32
      %group = arith.divui %t, %c32 : index
      %first = arith.cmpi eq, %lane, %c0 : index
      scf.if %first {
        memref.store %a, %s[%group] : memref<2xi32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %in = arith.cmpi ult, %t, %c32 : index
      scf.if %in {
        %few = arith.cmpi ult, %t, %c2 : index
        %b = scf.if %few -> i32 {
          %l = memref.load %s[%t] : memref<2xi32, #gpu.address_space<workgroup>>
          scf.yield %l : i32
        } else {
          scf.yield %zero : i32
        }
        %one = arith.constant 1 : i32
        %r:2 = scf.for %k = %c0 to %c2 step %c1 iter_args(%d = %one, %sum = %b) -> (i32, i32) {
          %o, %ok = gpu.shuffle xor %sum, %d, %all : i32
          %n = arith.addi %sum, %o : i32
          %h = arith.addi %d, %one : i32
          scf.yield %h, %n : i32, i32
        }
        %is = arith.cmpi eq, %t, %c0 : index
        scf.if %is {
          memref.store %r#1, %y[%c0] : memref<1xi32>
        }
      } else {
        %own = memref.load %x[%t] : memref<64xi32>
        %last = arith.constant 31 : i32
        %o, %ok = gpu.shuffle xor %own, %last, %all : i32
        memref.store %o, %z[%lane] : memref<32xi32>
      }
      gpu.return
    }
  }
  func.func @main(%x: memref<64xi32>, %y: memref<1xi32>, %z: memref<32xi32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@sum blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%x : memref<64xi32>, %y : memref<1xi32>, %z : memref<32xi32>)
    return
  }
}
