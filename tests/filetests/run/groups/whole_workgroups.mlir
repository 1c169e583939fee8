// What threads of a workgroup and of a subgroup do together, in two workgroups of 10 x 4 threads: a whole
// subgroup of 32 and one of 8. Thread n of workgroup b has n * n mod 17 + b - 5; where a
// lane is not there, the program writes -99. The values are Python's.
// test: run --arg=zeros --arg=zeros
// expect: arg 0 = [[110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150, 150], [11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12], [107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 107, 3, 3, 3, 3, 3, 3, 3, 3, 139, 139, 139, 139, 139, 139, 139, 139, 139, 139, 139, 139, 139, 139, 139, 139, 139, 139, 139, 139, 139, 139, 139, 139, 139, 139, 139, 139, 139, 139, 139, 139, 11, 11, 11, 11, 11, 11, 11, 11], [-4, -5, 4, -1, 3, 11, 10, -3, 8, 8, -3, 10, 11, 3, -1, 4, -5, -4, -1, -4, 11, 4, -3, 3, 8, 10, 10, 8, 3, -3, 4, 11, -4, -1, -4, -5, 4, -1, 3, 11, -3, -4, 5, 0, 4, 12, 11, -2, 9, 9, -2, 11, 12, 4, 0, 5, -4, -3, 0, -3, 12, 5, -2, 4, 9, 11, 11, 9, 4, -2, 5, 12, -3, 0, -3, -4, 5, 0, 4, 12], [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], [4, 11, 3, -3, 10, 8, 8, 10, -3, 3, 11, 4, -1, -4, -5, -4, -1, 4, 11, 3, -3, 10, 8, 8, 10, -3, 3, 11, 4, -99, -99, -99, -4, -1, 4, 11, 3, -99, -99, -99, 5, 12, 4, -2, 11, 9, 9, 11, -2, 4, 12, 5, 0, -3, -4, -3, 0, 5, 12, 4, -2, 11, 9, 9, 11, -2, 4, 12, 5, -99, -99, -99, -3, 0, 5, 12, 4, -99, -99, -99], [-99, -99, -5, -4, -1, 4, 11, 3, -3, 10, 8, 8, 10, -3, 3, 11, 4, -1, -4, -5, -4, -1, 4, 11, 3, -3, 10, 8, 8, 10, -3, 3, -99, -99, -1, -4, -5, -4, -1, 4, -99, -99, -4, -3, 0, 5, 12, 4, -2, 11, 9, 9, 11, -2, 4, 12, 5, 0, -3, -4, -3, 0, 5, 12, 4, -2, 11, 9, 9, 11, -2, 4, -99, -99, 0, -3, -4, -3, 0, 5], [3, 3, 3, 3, 3, 3, 3, 3, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5], [4, 11, 3, -3, 10, 8, 8, 10, -3, 3, 11, 4, -1, -5, -4, -1, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -4, -1, 4, 11, 3, -99, -99, -99, 5, 12, 4, -2, 11, 9, 9, 11, -2, 4, 12, 5, 0, -4, -3, 0, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -3, 0, 5, 12, 4, -99, -99, -99], [-5, -5, -5, -5, -5, -5, -5, -5, -5, -5, -5, -5, -5, -5, -5, -5, -5, -5, -5, -5, -5, -5, -5, -5, -5, -5, -5, -5, -5, -5, -5, -5, -1, -1, -1, -1, -1, -1, -1, -1, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, 0, 0, 0, 0, 0, 0, 0, 0], [3220000, 3220001, 3220002, 3220003, 3220004, 3220005, 3220006, 3220007, 3220008, 3220009, 3220010, 3220011, 3220012, 3220013, 3220014, 3220015, 3220016, 3220017, 3220018, 3220019, 3220020, 3220021, 3220022, 3220023, 3220024, 3220025, 3220026, 3220027, 3220028, 3220029, 3220030, 3220031, 3220100, 3220101, 3220102, 3220103, 3220104, 3220105, 3220106, 3220107, 3220000, 3220001, 3220002, 3220003, 3220004, 3220005, 3220006, 3220007, 3220008, 3220009, 3220010, 3220011, 3220012, 3220013, 3220014, 3220015, 3220016, 3220017, 3220018, 3220019, 3220020, 3220021, 3220022, 3220023, 3220024, 3220025, 3220026, 3220027, 3220028, 3220029, 3220030, 3220031, 3220100, 3220101, 3220102, 3220103, 3220104, 3220105, 3220106, 3220107], [-3, -3, -3, -3, -3, -3, -3, -3, -3, -3, -3, -3, -3, -3, -3, -3, -3, -3, -3, -3, -3, -3, -3, -3, -3, -3, -3, -3, -3, -3, -3, -3, 11, 11, 11, 11, 11, 11, 11, 11, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, 12, 12, 12, 12, 12, 12, 12, 12]]
// expect: arg 1 = [55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 55, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75]
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @groups(%out: memref<12x80xi32>, %sums: memref<80xf32>)
        kernel attributes {known_block_size = array<i32: 10, 4, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c5 = arith.constant 5 : index
      %c6 = arith.constant 6 : index
      %c7 = arith.constant 7 : index
      %c8 = arith.constant 8 : index
      %c9 = arith.constant 9 : index
      %c10 = arith.constant 10 : index
      %c11 = arith.constant 11 : index
      %width = arith.constant 10 : index
      %threads = arith.constant 40 : index
      %c17 = arith.constant 17 : index
      %none = arith.constant -99 : i32
      %one = arith.constant 1 : i32
      %two = arith.constant 2 : i32
      %three = arith.constant 3 : i32
      %five = arith.constant 5 : i32
      %six = arith.constant 6 : i32
      %eight = arith.constant 8 : i32
      %w32 = arith.constant 32 : i32
      %half = arith.constant 0.5 : f32
      %x = gpu.thread_id x
      %y = gpu.thread_id y
      %b = gpu.block_id x
      %before = arith.muli %y, %width : index
      %n = arith.addi %before, %x : index
      %start = arith.muli %b, %threads : index
      %g = arith.addi %start, %n : index
      %square = arith.muli %n, %n : index
      %rest = arith.remui %square, %c17 : index
      %more = arith.addi %rest, %b : index
      %i = arith.index_cast %more : index to i32
      %v = arith.subi %i, %five : i32
      %r0 = gpu.all_reduce add %v {} : (i32) -> (i32)
      %r1 = gpu.all_reduce %v {
      ^bb0(%lhs: i32, %rhs: i32):
        %m = arith.maxsi %lhs, %rhs : i32
        gpu.yield %m : i32
      } : (i32) -> (i32)
      %r2 = gpu.subgroup_reduce add %v : (i32) -> (i32)
      %r3, %ok3 = gpu.shuffle xor %v, %one, %w32 : i32
      %r4 = arith.extui %ok3 : i1 to i32
      %s5, %ok5 = gpu.shuffle down %v, %three, %w32 : i32
      %r5 = arith.select %ok5, %s5, %none : i32
      %s6, %ok6 = gpu.shuffle up %v, %two, %w32 : i32
      %r6 = arith.select %ok6, %s6, %none : i32
      %r7, %ok7 = gpu.shuffle idx %v, %five, %eight : i32
      %s8, %ok8 = gpu.rotate %v, 3, 16 : i32
      %r8 = arith.select %ok8, %s8, %none : i32
      %r9 = gpu.subgroup_broadcast %v, first_active_lane : i32
      %r11 = gpu.subgroup_broadcast %v, specific_lane %six : i32
      %lane = gpu.lane_id
      %subgroup = gpu.subgroup_id : index
      %subgroups = gpu.num_subgroups : index
      %size = gpu.subgroup_size : index
      %hundred = arith.constant 100 : index
      %many = arith.constant 10000 : index
      %lots = arith.constant 100000 : index
      %i1 = arith.muli %subgroup, %hundred : index
      %i2 = arith.muli %subgroups, %many : index
      %i3 = arith.muli %size, %lots : index
      %i4 = arith.addi %lane, %i1 : index
      %i5 = arith.addi %i4, %i2 : index
      %i6 = arith.addi %i5, %i3 : index
      %r10 = arith.index_cast %i6 : index to i32
      memref.store %r0, %out[%c0, %g] : memref<12x80xi32>
      memref.store %r1, %out[%c1, %g] : memref<12x80xi32>
      memref.store %r2, %out[%c2, %g] : memref<12x80xi32>
      memref.store %r3, %out[%c3, %g] : memref<12x80xi32>
      memref.store %r4, %out[%c4, %g] : memref<12x80xi32>
      memref.store %r5, %out[%c5, %g] : memref<12x80xi32>
      memref.store %r6, %out[%c6, %g] : memref<12x80xi32>
      memref.store %r7, %out[%c7, %g] : memref<12x80xi32>
      memref.store %r8, %out[%c8, %g] : memref<12x80xi32>
      memref.store %r9, %out[%c9, %g] : memref<12x80xi32>
      memref.store %r10, %out[%c10, %g] : memref<12x80xi32>
      memref.store %r11, %out[%c11, %g] : memref<12x80xi32>
      %f = arith.sitofp %v : i32 to f32
      %h = arith.mulf %f, %half : f32
      %sum = gpu.all_reduce add %h {} : (f32) -> (f32)
      memref.store %sum, %sums[%g] : memref<80xf32>
      gpu.return
    }
  }
  func.func @main(%out: memref<12x80xi32>, %sums: memref<80xf32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c10 = arith.constant 10 : index
    gpu.launch_func @kernels::@groups blocks in (%c2, %c1, %c1) threads in (%c10, %c4, %c1)
      args(%out : memref<12x80xi32>, %sums : memref<80xf32>)
    return
  }
}
