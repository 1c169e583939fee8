// A scan of a subgroup by shuffles over distances that double: the distance that the scf.while carries is the
// same for all threads, the sum that it carries with it is not.
// test: opt --gpu-lower-groups
// test: run-opt --arg=ones --arg=zeros
// expect: arg 1 = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32]
// test: run --arg=ones --arg=zeros
// expect: arg 1 = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32]
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @scan(%x: memref<64xi32>, %y: memref<64xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %all = arith.constant 32 : i32
      %t = gpu.thread_id x
      %lane = gpu.lane_id
      %l = arith.index_cast %lane : index to i32
      %v = memref.load %x[%t] : memref<64xi32>
      %r:2 = scf.while (%d = %one, %s = %v) : (i32, i32) -> (i32, i32) {
        %more = arith.cmpi slt, %d, %all : i32
        scf.condition(%more) %d, %s : i32, i32
      } do {
      ^bb0(%d: i32, %s: i32):
        %o, %valid = gpu.shuffle up %s, %d, %all : i32
        %has = arith.cmpi sge, %l, %d : i32
        %add = arith.select %has, %o, %zero : i32
        %n = arith.addi %s, %add : i32
        %d2 = arith.shli %d, %one : i32
        scf.yield %d2, %n : i32, i32
      }
      memref.store %r#1, %y[%t] : memref<64xi32>
      gpu.return
    }
  }
  func.func @main(%x: memref<64xi32>, %y: memref<64xi32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@scan blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%x : memref<64xi32>, %y : memref<64xi32>)
    return
  }
}
