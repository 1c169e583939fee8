// A grid beyond the 65,535 workgroups that devices take in a dimension is launched in parts, each of which counts its
// workgroups from where it starts in the whole. Workgroup number b holds 2 threads, and the sizes are those of the whole:
//     x[thread] = b + 3 * (workgroups),  and 0 for what two ways to number a thread differ by
//
// test: run --arg=zeros[140000] --arg=zeros
// expect: arg 1 = [210000, 210001, 279999, 0]
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%x: memref<?xi32>) workgroup(%s: memref<2xi32, 3>) private(%p: memref<1xi32, 5>) kernel
        attributes {known_block_size = array<i32: 2, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c3 = arith.constant 3 : index
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %size = gpu.block_dim x
      %groups = gpu.grid_dim x
      %global = gpu.global_id x
      %first = arith.muli %b, %size : index
      %i = arith.addi %first, %t : index
      %difference = arith.subi %i, %global : index
      %all = arith.muli %groups, %c3 : index
      %sum = arith.addi %b, %all : index
      %both = arith.addi %sum, %difference : index
      %v = arith.index_cast %both : index to i32
      memref.store %v, %s[%t] : memref<2xi32, 3>
      gpu.barrier
      %w = memref.load %s[%t] : memref<2xi32, 3>
      memref.store %w, %p[%c0] : memref<1xi32, 5>
      %u = memref.load %p[%c0] : memref<1xi32, 5>
      memref.store %u, %x[%i] : memref<?xi32>
      gpu.return
    }
  }
  func.func @main(%x: memref<?xi32>, %seen: memref<4xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %groups = arith.constant 70000 : index
    %last = arith.constant 139999 : index
    gpu.launch_func @m::@k blocks in (%groups, %c1, %c1) threads in (%c2, %c1, %c1) args(%x : memref<?xi32>)
    %a = memref.load %x[%c1] : memref<?xi32>
    memref.store %a, %seen[%c0] : memref<4xi32>
    %b = memref.load %x[%c3] : memref<?xi32>
    memref.store %b, %seen[%c1] : memref<4xi32>
    %c = memref.load %x[%last] : memref<?xi32>
    memref.store %c, %seen[%c2] : memref<4xi32>
    return
  }
}
