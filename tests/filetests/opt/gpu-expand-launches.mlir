// Kernel @other is launched with two cluster sizes, and dynamic memory of a size that is computed: both
// stay.
//
// test: opt --gpu-expand-launches
module attributes {gpu.container_module} {
  gpu.module @m {
    memref.global "private" constant @table : memref<2xf32> = dense<[1.0, 2.0]>
    gpu.func @k(%x: memref<?xf32>) workgroup(%w: memref<4xf32, 3>) kernel {
      %c0 = arith.constant 0 : index
      %id = gpu.cluster_id x
      %own = gpu.cluster_block_id y
      %count = gpu.cluster_dim z
      %size = gpu.cluster_dim_blocks x
      %raw = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
      %part = memref.view %raw[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<4xf32, #gpu.address_space<workgroup>>
      %table = memref.get_global @table : memref<2xf32>
      %v = memref.load %table[%id] : memref<2xf32>
      memref.store %v, %w[%own] : memref<4xf32, 3>
      memref.store %v, %part[%count] : memref<4xf32, #gpu.address_space<workgroup>>
      memref.store %v, %x[%size] : memref<?xf32>
      gpu.return
    }
    gpu.func @other(%x: memref<?xindex>) kernel {
      %id = gpu.cluster_id x
      %raw = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
      memref.store %id, %x[%id] : memref<?xindex>
      gpu.return
    }
  }
  func.func @launches(%x: memref<?xf32>, %n: memref<?xindex>, %bytes: i32) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %small = arith.constant 16 : i32
    %large = arith.constant 64 : i32
    gpu.launch_func @m::@k clusters in (%c2, %c1, %c1) blocks in (%c4, %c1, %c1) threads in (%c1, %c1, %c1)
      dynamic_shared_memory_size %small args(%x : memref<?xf32>)
    gpu.launch_func @m::@k clusters in (%c2, %c1, %c1) blocks in (%c4, %c1, %c1) threads in (%c1, %c1, %c1)
      dynamic_shared_memory_size %large args(%x : memref<?xf32>)
    gpu.launch_func @m::@other clusters in (%c2, %c1, %c1) blocks in (%c4, %c1, %c1) threads in (%c1, %c1, %c1)
      dynamic_shared_memory_size %bytes args(%n : memref<?xindex>)
    gpu.launch_func @m::@other blocks in (%c4, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%n : memref<?xindex>)
    return
  }
  func.func @inline(%x: memref<4xindex>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %start = gpu.wait async
    %done = gpu.launch async [%start] clusters(%cx, %cy, %cz) in (%ox = %c2, %oy = %c1, %oz = %c1)
               blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %sum = arith.addi %cx, %ox : index
      memref.store %sum, %x[%bx] : memref<4xindex>
      gpu.terminator
    }
    gpu.wait [%done]
    return
  }
}
