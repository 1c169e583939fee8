// Globals of a gpu.module, a constant table and memory that both launches update, in a kernel that has
// workgroup memory as well: thread t adds 10, 20, 30, 40 to the memory and stores it.
//
// test: run --arg=zeros --arg=zeros
// expect: arg 0 = [11, 22, 33, 44]
// expect: arg 1 = [21, 42, 63, 84]
module attributes {gpu.container_module} {
  gpu.module @m {
    memref.global "private" constant @table : memref<4xi32> = dense<[10, 20, 30, 40]>
    memref.global "private" @sums : memref<4xi32> = dense<[1, 2, 3, 4]>
    gpu.func @k(%y: memref<4xi32>) workgroup(%w: memref<4xi32, 3>)
        kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
      %t = gpu.thread_id x
      %table = memref.get_global @table : memref<4xi32>
      %sums = memref.get_global @sums : memref<4xi32>
      %a = memref.load %table[%t] : memref<4xi32>
      memref.store %a, %w[%t] : memref<4xi32, 3>
      gpu.barrier
      %b = memref.load %w[%t] : memref<4xi32, 3>
      %s = memref.load %sums[%t] : memref<4xi32>
      %n = arith.addi %s, %b : i32
      memref.store %n, %sums[%t] : memref<4xi32>
      memref.store %n, %y[%t] : memref<4xi32>
      gpu.return
    }
  }
  func.func @main(%x: memref<4xi32>, %y: memref<4xi32>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1) args(%x : memref<4xi32>)
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1) args(%y : memref<4xi32>)
    return
  }
}
