// Ids of clusters: 6 workgroups in clusters of 2 are 3 clusters. Workgroup b stores its cluster's
// number, its own in the cluster, the number of clusters, and their size.
//
// test: run --arg=zeros --arg=zeros
// expect: arg 0 = [0, 0, 3, 2, 0, 1, 3, 2, 1, 0, 3, 2, 1, 1, 3, 2, 2, 0, 3, 2, 2, 1, 3, 2]
// expect: arg 1 = [0, 2, 0, 2, 1, 2, 1, 2]
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%x: memref<6x4xindex>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %b = gpu.block_id x
      %id = gpu.cluster_id x
      %own = gpu.cluster_block_id x
      %count = gpu.cluster_dim x
      %size = gpu.cluster_dim_blocks x
      memref.store %id, %x[%b, %c0] : memref<6x4xindex>
      memref.store %own, %x[%b, %c1] : memref<6x4xindex>
      memref.store %count, %x[%b, %c2] : memref<6x4xindex>
      memref.store %size, %x[%b, %c3] : memref<6x4xindex>
      gpu.return
    }
  }
  func.func @main(%x: memref<6x4xindex>, %y: memref<4x2xindex>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c6 = arith.constant 6 : index
    gpu.launch_func @m::@k clusters in (%c2, %c1, %c1) blocks in (%c6, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%x : memref<6x4xindex>)
    gpu.launch clusters(%cx, %cy, %cz) in (%ox = %c2, %oy = %c1, %oz = %c1)
               blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %cx, %y[%bx, %c0] : memref<4x2xindex>
      memref.store %ox, %y[%bx, %c1] : memref<4x2xindex>
      gpu.terminator
    }
    return
  }
}
