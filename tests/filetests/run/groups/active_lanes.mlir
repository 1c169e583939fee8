// Collective operations in both branches of an `scf.if` that lanes take in no order: lane k of a workgroup of 10 x 4 threads, a
// whole subgroup and one of 8, goes into the first one where 7 k mod 5 < 3. Only threads of the same branch count; -99 stands
// where the source of a shuffle is not active, and a broadcast from a lane that is not active leaves a thread its own value.
// The values are Python's.
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [[76, 76, 35, 76, 35, 76, 76, 35, 76, 35, 76, 76, 35, 76, 35, 76, 76, 35, 76, 35, 76, 76, 35, 76, 35, 76, 76, 35, 76, 35, 76, 76, 17, 24, 17, 24, 24, 17, 24, 17], [-3, -7, -99, -99, -99, -99, -99, -99, -99, -99, 9, 8, -99, -99, -99, -99, -99, -99, -99, -99, 14, -7, -99, -99, -99, -99, -99, -99, -99, -99, 12, -6, -99, -99, -99, -99, -99, -99, -99, -99], [-99, -99, -99, -3, 3, 11, -99, -99, -99, -99, 12, -99, -99, 9, 12, -6, -99, -99, -2, 11, 3, -99, -99, 14, -99, -99, -99, -99, 11, -2, 10, -99, -99, -99, 9, 8, -99, -99, -6, 1], [11, -99, -99, 1, -6, 12, -99, -99, 9, 12, -6, -99, -99, -2, 11, 3, -99, -99, 14, 14, -7, -99, -99, 11, -2, 10, -99, -99, 12, -99, -99, -99, -99, -6, 1, 10, -99, -99, -99, -99], [10, 10, -99, 10, -99, 10, 10, -99, -6, -99, -6, -6, -99, -6, -99, -6, 14, -99, 14, -99, 14, 14, -99, 14, 1, -99, -99, 1, -99, 1, -99, -99, 1, -99, 1, -99, -99, 1, -99, 1], [11, -99, -99, 1, -6, 12, -99, -99, 9, 12, -6, -99, -99, -7, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -6, 1, 10, -99, -99, -99, -99], [-7, -7, 3, -7, 3, -7, -7, 3, -7, 3, -7, -7, 3, -7, 3, -7, -7, 3, -7, 3, -7, -7, 3, -7, 3, -7, -7, 3, -7, 3, -7, -7, 9, 8, 9, 8, 8, 9, 8, 9], [1, 1, 3, 1, -2, 1, 1, -6, 1, 9, 1, 1, 12, 1, 1, 1, 1, 11, 1, -3, 1, 1, 14, 1, -3, 1, 1, -2, 1, 1, 1, 1, 9, 10, 9, 10, 10, 1, 10, -2], [100, 100, 52, 100, 52, 100, 100, 52, 100, 52, 100, 100, 52, 100, 52, 100, 100, 52, 100, 52, 100, 100, 52, 100, 52, 100, 100, 52, 100, 52, 100, 100, 52, 100, 52, 100, 100, 52, 100, 52], [14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14], [-6, 18, 1, 18, 1, 18, -6, -6, 20, 9, 20, 13, 13, 13, 13, 13, -6, 8, -6, 8, -6, 7, 14, 7, -3, 15, 15, -1, 15, -1, 15, 15, 18, 20, 18, 20, 4, -1, 4, -1]]
// test: run --portable --arg=iota --arg=zeros
// expect: arg 1 = [[76, 76, 35, 76, 35, 76, 76, 35, 76, 35, 76, 76, 35, 76, 35, 76, 76, 35, 76, 35, 76, 76, 35, 76, 35, 76, 76, 35, 76, 35, 76, 76, 17, 24, 17, 24, 24, 17, 24, 17], [-3, -7, -99, -99, -99, -99, -99, -99, -99, -99, 9, 8, -99, -99, -99, -99, -99, -99, -99, -99, 14, -7, -99, -99, -99, -99, -99, -99, -99, -99, 12, -6, -99, -99, -99, -99, -99, -99, -99, -99], [-99, -99, -99, -3, 3, 11, -99, -99, -99, -99, 12, -99, -99, 9, 12, -6, -99, -99, -2, 11, 3, -99, -99, 14, -99, -99, -99, -99, 11, -2, 10, -99, -99, -99, 9, 8, -99, -99, -6, 1], [11, -99, -99, 1, -6, 12, -99, -99, 9, 12, -6, -99, -99, -2, 11, 3, -99, -99, 14, 14, -7, -99, -99, 11, -2, 10, -99, -99, 12, -99, -99, -99, -99, -6, 1, 10, -99, -99, -99, -99], [10, 10, -99, 10, -99, 10, 10, -99, -6, -99, -6, -6, -99, -6, -99, -6, 14, -99, 14, -99, 14, 14, -99, 14, 1, -99, -99, 1, -99, 1, -99, -99, 1, -99, 1, -99, -99, 1, -99, 1], [11, -99, -99, 1, -6, 12, -99, -99, 9, 12, -6, -99, -99, -7, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -6, 1, 10, -99, -99, -99, -99], [-7, -7, 3, -7, 3, -7, -7, 3, -7, 3, -7, -7, 3, -7, 3, -7, -7, 3, -7, 3, -7, -7, 3, -7, 3, -7, -7, 3, -7, 3, -7, -7, 9, 8, 9, 8, 8, 9, 8, 9], [1, 1, 3, 1, -2, 1, 1, -6, 1, 9, 1, 1, 12, 1, 1, 1, 1, 11, 1, -3, 1, 1, 14, 1, -3, 1, 1, -2, 1, 1, 1, 1, 9, 10, 9, 10, 10, 1, 10, -2], [100, 100, 52, 100, 52, 100, 100, 52, 100, 52, 100, 100, 52, 100, 52, 100, 100, 52, 100, 52, 100, 100, 52, 100, 52, 100, 100, 52, 100, 52, 100, 100, 52, 100, 52, 100, 100, 52, 100, 52], [14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14], [-6, 18, 1, 18, 1, 18, -6, -6, 20, 9, 20, 13, 13, 13, 13, 13, -6, 8, -6, 8, -6, 7, 14, 7, -3, 15, 15, -1, 15, -1, 15, 15, 18, 20, 18, 20, 4, -1, 4, -1]]
func.func @main(%x: memref<40xi32>, %out: memref<11x40xi32>) {
  %size0 = arith.constant 10 : index
  %size1 = arith.constant 4 : index
  %size2 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %size2, %gy = %size2, %gz = %size2)
      threads(%tx, %ty, %tz) in (%sx = %size0, %sy = %size1, %sz = %size2) {
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
    %none = arith.constant -99 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %five = arith.constant 5 : i32
    %six = arith.constant 6 : i32
    %seven = arith.constant 7 : i32
    %c23 = arith.constant 23 : i32
    %w8 = arith.constant 8 : i32
    %w32 = arith.constant 32 : i32
    %row = arith.muli %ty, %size0 : index
    %n = arith.addi %row, %tx : index
    %k = memref.load %x[%n] : memref<40xi32>
    %a = arith.addi %k, %three : i32
    %b = arith.muli %k, %a : i32
    %c = arith.remui %b, %c23 : i32
    %v = arith.subi %c, %seven : i32
    %d = arith.muli %k, %seven : i32
    %e = arith.remui %d, %five : i32
    %first = arith.cmpi ult, %e, %three : i32
    scf.if %first {
      %r0 = gpu.subgroup_reduce add %v : (i32) -> (i32)
      %s1, %p1 = gpu.shuffle xor %v, %one, %w32 : i32
      %r1 = arith.select %p1, %s1, %none : i32
      %s2, %p2 = gpu.shuffle up %v, %two, %w8 : i32
      %r2 = arith.select %p2, %s2, %none : i32
      %s3, %p3 = gpu.shuffle down %v, %three, %w32 : i32
      %r3 = arith.select %p3, %s3, %none : i32
      %s4, %p4 = gpu.shuffle idx %v, %five, %w8 : i32
      %r4 = arith.select %p4, %s4, %none : i32
      %s5, %p5 = gpu.rotate %v, 3, 16 : i32
      %r5 = arith.select %p5, %s5, %none : i32
      %r6 = gpu.subgroup_broadcast %v, first_active_lane : i32
      %r7 = gpu.subgroup_broadcast %v, specific_lane %six : i32
      %r8 = gpu.all_reduce add %v {} : (i32) -> (i32)
      %r9 = gpu.all_reduce %v {
      ^bb0(%lhs: i32, %rhs: i32):
        %m = arith.maxsi %lhs, %rhs : i32
        gpu.yield %m : i32
      } : (i32) -> (i32)
      %r10 = gpu.subgroup_reduce add %v cluster(size = 4, stride = 2) : (i32) -> (i32)
      memref.store %r0, %out[%c0, %n] : memref<11x40xi32>
      memref.store %r1, %out[%c1, %n] : memref<11x40xi32>
      memref.store %r2, %out[%c2, %n] : memref<11x40xi32>
      memref.store %r3, %out[%c3, %n] : memref<11x40xi32>
      memref.store %r4, %out[%c4, %n] : memref<11x40xi32>
      memref.store %r5, %out[%c5, %n] : memref<11x40xi32>
      memref.store %r6, %out[%c6, %n] : memref<11x40xi32>
      memref.store %r7, %out[%c7, %n] : memref<11x40xi32>
      memref.store %r8, %out[%c8, %n] : memref<11x40xi32>
      memref.store %r9, %out[%c9, %n] : memref<11x40xi32>
      memref.store %r10, %out[%c10, %n] : memref<11x40xi32>
    } else {
      %r0 = gpu.subgroup_reduce add %v : (i32) -> (i32)
      %s1, %p1 = gpu.shuffle xor %v, %one, %w32 : i32
      %r1 = arith.select %p1, %s1, %none : i32
      %s2, %p2 = gpu.shuffle up %v, %two, %w8 : i32
      %r2 = arith.select %p2, %s2, %none : i32
      %s3, %p3 = gpu.shuffle down %v, %three, %w32 : i32
      %r3 = arith.select %p3, %s3, %none : i32
      %s4, %p4 = gpu.shuffle idx %v, %five, %w8 : i32
      %r4 = arith.select %p4, %s4, %none : i32
      %s5, %p5 = gpu.rotate %v, 3, 16 : i32
      %r5 = arith.select %p5, %s5, %none : i32
      %r6 = gpu.subgroup_broadcast %v, first_active_lane : i32
      %r7 = gpu.subgroup_broadcast %v, specific_lane %six : i32
      %r8 = gpu.all_reduce add %v {} : (i32) -> (i32)
      %r9 = gpu.all_reduce %v {
      ^bb0(%lhs: i32, %rhs: i32):
        %m = arith.maxsi %lhs, %rhs : i32
        gpu.yield %m : i32
      } : (i32) -> (i32)
      %r10 = gpu.subgroup_reduce add %v cluster(size = 4, stride = 2) : (i32) -> (i32)
      memref.store %r0, %out[%c0, %n] : memref<11x40xi32>
      memref.store %r1, %out[%c1, %n] : memref<11x40xi32>
      memref.store %r2, %out[%c2, %n] : memref<11x40xi32>
      memref.store %r3, %out[%c3, %n] : memref<11x40xi32>
      memref.store %r4, %out[%c4, %n] : memref<11x40xi32>
      memref.store %r5, %out[%c5, %n] : memref<11x40xi32>
      memref.store %r6, %out[%c6, %n] : memref<11x40xi32>
      memref.store %r7, %out[%c7, %n] : memref<11x40xi32>
      memref.store %r8, %out[%c8, %n] : memref<11x40xi32>
      memref.store %r9, %out[%c9, %n] : memref<11x40xi32>
      memref.store %r10, %out[%c10, %n] : memref<11x40xi32>
    }
    gpu.terminator
  }
  return
}
