// Reductions of all kinds in a branch that every fourth lane does not take: neither its values nor a neutral element of another type take
// part. Products are of clusters of four lanes. A workgroup has a subgroup of 32 threads and one of 2. The values are Python's, those of bf16 as bits.
// test: run --entry=i32 --arg=iota --arg=zeros
// expect: arg 1 = [[98, 0, 98, 98, 98, 0, 98, 98, 98, 0, 98, 98, 98, 0, 98, 98, 98, 0, 98, 98, 98, 0, 98, 98, 98, 0, 98, 98, 98, 0, 98, 98, -6, 0], [-480, 0, -480, -480, -192, 0, -192, -192, 0, 0, 0, 0, -560, 0, -560, -560, 72, 0, 72, 72, 512, 0, 512, 512, 0, 0, 0, 0, -40, 0, -40, -40, -6, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -6, 0], [-8, 0, -8, -8, -8, 0, -8, -8, -8, 0, -8, -8, -8, 0, -8, -8, -8, 0, -8, -8, -8, 0, -8, -8, -8, 0, -8, -8, -8, 0, -8, -8, -6, 0], [-2, 0, -2, -2, -2, 0, -2, -2, -2, 0, -2, -2, -2, 0, -2, -2, -2, 0, -2, -2, -2, 0, -2, -2, -2, 0, -2, -2, -2, 0, -2, -2, -6, 0], [16, 0, 16, 16, 16, 0, 16, 16, 16, 0, 16, 16, 16, 0, 16, 16, 16, 0, 16, 16, 16, 0, 16, 16, 16, 0, 16, 16, 16, 0, 16, 16, -6, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -6, 0], [-2, 0, -2, -2, -2, 0, -2, -2, -2, 0, -2, -2, -2, 0, -2, -2, -2, 0, -2, -2, -2, 0, -2, -2, -2, 0, -2, -2, -2, 0, -2, -2, -6, 0], [-14, 0, -14, -14, -14, 0, -14, -14, -14, 0, -14, -14, -14, 0, -14, -14, -14, 0, -14, -14, -14, 0, -14, -14, -14, 0, -14, -14, -14, 0, -14, -14, -6, 0]]
// test: run --entry=i64 --arg=iota --arg=zeros
// expect: arg 1 = [[49, 0, 49, 49, 49, 0, 49, 49, 49, 0, 49, 49, 49, 0, 49, 49, 49, 0, 49, 49, 49, 0, 49, 49, 49, 0, 49, 49, 49, 0, 49, 49, -3, 0], [-60, 0, -60, -60, -24, 0, -24, -24, 0, 0, 0, 0, -70, 0, -70, -70, 9, 0, 9, 9, 64, 0, 64, 64, 0, 0, 0, 0, -5, 0, -5, -5, -3, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -3, 0], [-4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -3, 0], [-1, 0, -1, -1, -1, 0, -1, -1, -1, 0, -1, -1, -1, 0, -1, -1, -1, 0, -1, -1, -1, 0, -1, -1, -1, 0, -1, -1, -1, 0, -1, -1, -3, 0], [8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, -3, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -3, 0], [-1, 0, -1, -1, -1, 0, -1, -1, -1, 0, -1, -1, -1, 0, -1, -1, -1, 0, -1, -1, -1, 0, -1, -1, -1, 0, -1, -1, -1, 0, -1, -1, -3, 0], [-7, 0, -7, -7, -7, 0, -7, -7, -7, 0, -7, -7, -7, 0, -7, -7, -7, 0, -7, -7, -7, 0, -7, -7, -7, 0, -7, -7, -7, 0, -7, -7, -3, 0]]
// test: run --entry=i8 --arg=iota --arg=zeros
// expect: arg 1 = [[49, 0, 49, 49, 49, 0, 49, 49, 49, 0, 49, 49, 49, 0, 49, 49, 49, 0, 49, 49, 49, 0, 49, 49, 49, 0, 49, 49, 49, 0, 49, 49, -3, 0], [-60, 0, -60, -60, -24, 0, -24, -24, 0, 0, 0, 0, -70, 0, -70, -70, 9, 0, 9, 9, 64, 0, 64, 64, 0, 0, 0, 0, -5, 0, -5, -5, -3, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -3, 0], [-4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -3, 0], [-1, 0, -1, -1, -1, 0, -1, -1, -1, 0, -1, -1, -1, 0, -1, -1, -1, 0, -1, -1, -1, 0, -1, -1, -1, 0, -1, -1, -1, 0, -1, -1, -3, 0], [8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, -3, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -3, 0], [-1, 0, -1, -1, -1, 0, -1, -1, -1, 0, -1, -1, -1, 0, -1, -1, -1, 0, -1, -1, -1, 0, -1, -1, -1, 0, -1, -1, -1, 0, -1, -1, -3, 0], [-7, 0, -7, -7, -7, 0, -7, -7, -7, 0, -7, -7, -7, 0, -7, -7, -7, 0, -7, -7, -7, 0, -7, -7, -7, 0, -7, -7, -7, 0, -7, -7, -3, 0]]
// test: run --entry=f32 --arg=iota --arg=zeros
// expect: arg 1 = [[49, 0, 49, 49, 49, 0, 49, 49, 49, 0, 49, 49, 49, 0, 49, 49, 49, 0, 49, 49, 49, 0, 49, 49, 49, 0, 49, 49, 49, 0, 49, 49, -3, 0], [-60, 0, -60, -60, -24, 0, -24, -24, 0, 0, 0, 0, -70, 0, -70, -70, 9, 0, 9, 9, 64, 0, 64, 64, 0, 0, 0, 0, -5, 0, -5, -5, -3, 0], [-4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -3, 0], [-4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -3, 0], [8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, -3, 0], [8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, -3, 0]]
// test: run --entry=f16 --arg=iota --arg=zeros
// expect: arg 1 = [[49, 0, 49, 49, 49, 0, 49, 49, 49, 0, 49, 49, 49, 0, 49, 49, 49, 0, 49, 49, 49, 0, 49, 49, 49, 0, 49, 49, 49, 0, 49, 49, -3, 0], [-60, 0, -60, -60, -24, 0, -24, -24, 0, 0, 0, 0, -70, 0, -70, -70, 9, 0, 9, 9, 64, 0, 64, 64, 0, 0, 0, 0, -5, 0, -5, -5, -3, 0], [-4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -3, 0], [-4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -4, 0, -4, -4, -3, 0], [8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, -3, 0], [8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, 8, 0, 8, 8, -3, 0]]
// test: run --entry=bf16 --arg=iota --arg=zeros
// expect: arg 1 = [[16964, 0, 16964, 16964, 16964, 0, 16964, 16964, 16964, 0, 16964, 16964, 16964, 0, 16964, 16964, 16964, 0, 16964, 16964, 16964, 0, 16964, 16964, 16964, 0, 16964, 16964, 16964, 0, 16964, 16964, 49216, 0], [49776, 0, 49776, 49776, 49600, 0, 49600, 49600, 0, 0, 0, 0, 49804, 0, 49804, 49804, 16656, 0, 16656, 16656, 17024, 0, 17024, 17024, 32768, 0, 32768, 32768, 49312, 0, 49312, 49312, 49216, 0], [49280, 0, 49280, 49280, 49280, 0, 49280, 49280, 49280, 0, 49280, 49280, 49280, 0, 49280, 49280, 49280, 0, 49280, 49280, 49280, 0, 49280, 49280, 49280, 0, 49280, 49280, 49280, 0, 49280, 49280, 49216, 0], [49280, 0, 49280, 49280, 49280, 0, 49280, 49280, 49280, 0, 49280, 49280, 49280, 0, 49280, 49280, 49280, 0, 49280, 49280, 49280, 0, 49280, 49280, 49280, 0, 49280, 49280, 49280, 0, 49280, 49280, 49216, 0], [16640, 0, 16640, 16640, 16640, 0, 16640, 16640, 16640, 0, 16640, 16640, 16640, 0, 16640, 16640, 16640, 0, 16640, 16640, 16640, 0, 16640, 16640, 16640, 0, 16640, 16640, 16640, 0, 16640, 16640, 49216, 0], [16640, 0, 16640, 16640, 16640, 0, 16640, 16640, 16640, 0, 16640, 16640, 16640, 0, 16640, 16640, 16640, 0, 16640, 16640, 16640, 0, 16640, 16640, 16640, 0, 16640, 16640, 16640, 0, 16640, 16640, 49216, 0]]
func.func @i32(%x: memref<34xi32>, %out: memref<9x34xi32>) {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 34 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%t, %ty, %tz) in (%sx = %threads, %sy = %c1, %sz = %c1) {
    %four = arith.constant 4 : index
    %one = arith.constant 1 : index
    %fourth = arith.remui %t, %four : index
    %some = arith.cmpi ne, %fourth, %one : index
    %k = memref.load %x[%t] : memref<34xi32>
    scf.if %some {
      %eleven = arith.constant 11 : i32
      %thirteen = arith.constant 13 : i32
      %less = arith.constant 4 : i32
      %p = arith.muli %k, %eleven : i32
      %q = arith.remui %p, %thirteen : i32
      %w = arith.subi %q, %less : i32
      %v = arith.addi %w, %w : i32
      %r0 = gpu.subgroup_reduce add %v : (i32) -> (i32)
      %i0 = arith.constant 0 : index
      memref.store %r0, %out[%i0, %t] : memref<9x34xi32>
      %r1 = gpu.subgroup_reduce mul %v cluster(size = 4) : (i32) -> (i32)
      %i1 = arith.constant 1 : index
      memref.store %r1, %out[%i1, %t] : memref<9x34xi32>
      %r2 = gpu.subgroup_reduce minui %v : (i32) -> (i32)
      %i2 = arith.constant 2 : index
      memref.store %r2, %out[%i2, %t] : memref<9x34xi32>
      %r3 = gpu.subgroup_reduce minsi %v : (i32) -> (i32)
      %i3 = arith.constant 3 : index
      memref.store %r3, %out[%i3, %t] : memref<9x34xi32>
      %r4 = gpu.subgroup_reduce maxui %v : (i32) -> (i32)
      %i4 = arith.constant 4 : index
      memref.store %r4, %out[%i4, %t] : memref<9x34xi32>
      %r5 = gpu.subgroup_reduce maxsi %v : (i32) -> (i32)
      %i5 = arith.constant 5 : index
      memref.store %r5, %out[%i5, %t] : memref<9x34xi32>
      %r6 = gpu.subgroup_reduce and %v : (i32) -> (i32)
      %i6 = arith.constant 6 : index
      memref.store %r6, %out[%i6, %t] : memref<9x34xi32>
      %r7 = gpu.subgroup_reduce or %v : (i32) -> (i32)
      %i7 = arith.constant 7 : index
      memref.store %r7, %out[%i7, %t] : memref<9x34xi32>
      %r8 = gpu.subgroup_reduce xor %v : (i32) -> (i32)
      %i8 = arith.constant 8 : index
      memref.store %r8, %out[%i8, %t] : memref<9x34xi32>
    }
    gpu.terminator
  }
  return
}
func.func @i64(%x: memref<34xi32>, %out: memref<9x34xi64>) {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 34 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%t, %ty, %tz) in (%sx = %threads, %sy = %c1, %sz = %c1) {
    %four = arith.constant 4 : index
    %one = arith.constant 1 : index
    %fourth = arith.remui %t, %four : index
    %some = arith.cmpi ne, %fourth, %one : index
    %k = memref.load %x[%t] : memref<34xi32>
    scf.if %some {
      %eleven = arith.constant 11 : i32
      %thirteen = arith.constant 13 : i32
      %less = arith.constant 4 : i32
      %p = arith.muli %k, %eleven : i32
      %q = arith.remui %p, %thirteen : i32
      %w = arith.subi %q, %less : i32
      %v = arith.extsi %w : i32 to i64
      %r0 = gpu.subgroup_reduce add %v : (i64) -> (i64)
      %i0 = arith.constant 0 : index
      memref.store %r0, %out[%i0, %t] : memref<9x34xi64>
      %r1 = gpu.subgroup_reduce mul %v cluster(size = 4) : (i64) -> (i64)
      %i1 = arith.constant 1 : index
      memref.store %r1, %out[%i1, %t] : memref<9x34xi64>
      %r2 = gpu.subgroup_reduce minui %v : (i64) -> (i64)
      %i2 = arith.constant 2 : index
      memref.store %r2, %out[%i2, %t] : memref<9x34xi64>
      %r3 = gpu.subgroup_reduce minsi %v : (i64) -> (i64)
      %i3 = arith.constant 3 : index
      memref.store %r3, %out[%i3, %t] : memref<9x34xi64>
      %r4 = gpu.subgroup_reduce maxui %v : (i64) -> (i64)
      %i4 = arith.constant 4 : index
      memref.store %r4, %out[%i4, %t] : memref<9x34xi64>
      %r5 = gpu.subgroup_reduce maxsi %v : (i64) -> (i64)
      %i5 = arith.constant 5 : index
      memref.store %r5, %out[%i5, %t] : memref<9x34xi64>
      %r6 = gpu.subgroup_reduce and %v : (i64) -> (i64)
      %i6 = arith.constant 6 : index
      memref.store %r6, %out[%i6, %t] : memref<9x34xi64>
      %r7 = gpu.subgroup_reduce or %v : (i64) -> (i64)
      %i7 = arith.constant 7 : index
      memref.store %r7, %out[%i7, %t] : memref<9x34xi64>
      %r8 = gpu.subgroup_reduce xor %v : (i64) -> (i64)
      %i8 = arith.constant 8 : index
      memref.store %r8, %out[%i8, %t] : memref<9x34xi64>
    }
    gpu.terminator
  }
  return
}
func.func @i8(%x: memref<34xi32>, %out: memref<9x34xi8>) {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 34 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%t, %ty, %tz) in (%sx = %threads, %sy = %c1, %sz = %c1) {
    %four = arith.constant 4 : index
    %one = arith.constant 1 : index
    %fourth = arith.remui %t, %four : index
    %some = arith.cmpi ne, %fourth, %one : index
    %k = memref.load %x[%t] : memref<34xi32>
    scf.if %some {
      %eleven = arith.constant 11 : i32
      %thirteen = arith.constant 13 : i32
      %less = arith.constant 4 : i32
      %p = arith.muli %k, %eleven : i32
      %q = arith.remui %p, %thirteen : i32
      %w = arith.subi %q, %less : i32
      %v = arith.trunci %w : i32 to i8
      %r0 = gpu.subgroup_reduce add %v : (i8) -> (i8)
      %i0 = arith.constant 0 : index
      memref.store %r0, %out[%i0, %t] : memref<9x34xi8>
      %r1 = gpu.subgroup_reduce mul %v cluster(size = 4) : (i8) -> (i8)
      %i1 = arith.constant 1 : index
      memref.store %r1, %out[%i1, %t] : memref<9x34xi8>
      %r2 = gpu.subgroup_reduce minui %v : (i8) -> (i8)
      %i2 = arith.constant 2 : index
      memref.store %r2, %out[%i2, %t] : memref<9x34xi8>
      %r3 = gpu.subgroup_reduce minsi %v : (i8) -> (i8)
      %i3 = arith.constant 3 : index
      memref.store %r3, %out[%i3, %t] : memref<9x34xi8>
      %r4 = gpu.subgroup_reduce maxui %v : (i8) -> (i8)
      %i4 = arith.constant 4 : index
      memref.store %r4, %out[%i4, %t] : memref<9x34xi8>
      %r5 = gpu.subgroup_reduce maxsi %v : (i8) -> (i8)
      %i5 = arith.constant 5 : index
      memref.store %r5, %out[%i5, %t] : memref<9x34xi8>
      %r6 = gpu.subgroup_reduce and %v : (i8) -> (i8)
      %i6 = arith.constant 6 : index
      memref.store %r6, %out[%i6, %t] : memref<9x34xi8>
      %r7 = gpu.subgroup_reduce or %v : (i8) -> (i8)
      %i7 = arith.constant 7 : index
      memref.store %r7, %out[%i7, %t] : memref<9x34xi8>
      %r8 = gpu.subgroup_reduce xor %v : (i8) -> (i8)
      %i8 = arith.constant 8 : index
      memref.store %r8, %out[%i8, %t] : memref<9x34xi8>
    }
    gpu.terminator
  }
  return
}
func.func @f32(%x: memref<34xi32>, %out: memref<6x34xf32>) {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 34 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%t, %ty, %tz) in (%sx = %threads, %sy = %c1, %sz = %c1) {
    %four = arith.constant 4 : index
    %one = arith.constant 1 : index
    %fourth = arith.remui %t, %four : index
    %some = arith.cmpi ne, %fourth, %one : index
    %k = memref.load %x[%t] : memref<34xi32>
    scf.if %some {
      %eleven = arith.constant 11 : i32
      %thirteen = arith.constant 13 : i32
      %less = arith.constant 4 : i32
      %p = arith.muli %k, %eleven : i32
      %q = arith.remui %p, %thirteen : i32
      %w = arith.subi %q, %less : i32
      %v = arith.sitofp %w : i32 to f32
      %r0 = gpu.subgroup_reduce add %v : (f32) -> (f32)
      %i0 = arith.constant 0 : index
      memref.store %r0, %out[%i0, %t] : memref<6x34xf32>
      %r1 = gpu.subgroup_reduce mul %v cluster(size = 4) : (f32) -> (f32)
      %i1 = arith.constant 1 : index
      memref.store %r1, %out[%i1, %t] : memref<6x34xf32>
      %r2 = gpu.subgroup_reduce minnumf %v : (f32) -> (f32)
      %i2 = arith.constant 2 : index
      memref.store %r2, %out[%i2, %t] : memref<6x34xf32>
      %r3 = gpu.subgroup_reduce minimumf %v : (f32) -> (f32)
      %i3 = arith.constant 3 : index
      memref.store %r3, %out[%i3, %t] : memref<6x34xf32>
      %r4 = gpu.subgroup_reduce maxnumf %v : (f32) -> (f32)
      %i4 = arith.constant 4 : index
      memref.store %r4, %out[%i4, %t] : memref<6x34xf32>
      %r5 = gpu.subgroup_reduce maximumf %v : (f32) -> (f32)
      %i5 = arith.constant 5 : index
      memref.store %r5, %out[%i5, %t] : memref<6x34xf32>
    }
    gpu.terminator
  }
  return
}
func.func @f16(%x: memref<34xi32>, %out: memref<6x34xf16>) {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 34 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%t, %ty, %tz) in (%sx = %threads, %sy = %c1, %sz = %c1) {
    %four = arith.constant 4 : index
    %one = arith.constant 1 : index
    %fourth = arith.remui %t, %four : index
    %some = arith.cmpi ne, %fourth, %one : index
    %k = memref.load %x[%t] : memref<34xi32>
    scf.if %some {
      %eleven = arith.constant 11 : i32
      %thirteen = arith.constant 13 : i32
      %less = arith.constant 4 : i32
      %p = arith.muli %k, %eleven : i32
      %q = arith.remui %p, %thirteen : i32
      %w = arith.subi %q, %less : i32
      %v = arith.sitofp %w : i32 to f16
      %r0 = gpu.subgroup_reduce add %v : (f16) -> (f16)
      %i0 = arith.constant 0 : index
      memref.store %r0, %out[%i0, %t] : memref<6x34xf16>
      %r1 = gpu.subgroup_reduce mul %v cluster(size = 4) : (f16) -> (f16)
      %i1 = arith.constant 1 : index
      memref.store %r1, %out[%i1, %t] : memref<6x34xf16>
      %r2 = gpu.subgroup_reduce minnumf %v : (f16) -> (f16)
      %i2 = arith.constant 2 : index
      memref.store %r2, %out[%i2, %t] : memref<6x34xf16>
      %r3 = gpu.subgroup_reduce minimumf %v : (f16) -> (f16)
      %i3 = arith.constant 3 : index
      memref.store %r3, %out[%i3, %t] : memref<6x34xf16>
      %r4 = gpu.subgroup_reduce maxnumf %v : (f16) -> (f16)
      %i4 = arith.constant 4 : index
      memref.store %r4, %out[%i4, %t] : memref<6x34xf16>
      %r5 = gpu.subgroup_reduce maximumf %v : (f16) -> (f16)
      %i5 = arith.constant 5 : index
      memref.store %r5, %out[%i5, %t] : memref<6x34xf16>
    }
    gpu.terminator
  }
  return
}
func.func @bf16(%x: memref<34xi32>, %out: memref<6x34xbf16>) {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 34 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%t, %ty, %tz) in (%sx = %threads, %sy = %c1, %sz = %c1) {
    %four = arith.constant 4 : index
    %one = arith.constant 1 : index
    %fourth = arith.remui %t, %four : index
    %some = arith.cmpi ne, %fourth, %one : index
    %k = memref.load %x[%t] : memref<34xi32>
    scf.if %some {
      %eleven = arith.constant 11 : i32
      %thirteen = arith.constant 13 : i32
      %less = arith.constant 4 : i32
      %p = arith.muli %k, %eleven : i32
      %q = arith.remui %p, %thirteen : i32
      %w = arith.subi %q, %less : i32
      %v = arith.sitofp %w : i32 to bf16
      %r0 = gpu.subgroup_reduce add %v : (bf16) -> (bf16)
      %i0 = arith.constant 0 : index
      memref.store %r0, %out[%i0, %t] : memref<6x34xbf16>
      %r1 = gpu.subgroup_reduce mul %v cluster(size = 4) : (bf16) -> (bf16)
      %i1 = arith.constant 1 : index
      memref.store %r1, %out[%i1, %t] : memref<6x34xbf16>
      %r2 = gpu.subgroup_reduce minnumf %v : (bf16) -> (bf16)
      %i2 = arith.constant 2 : index
      memref.store %r2, %out[%i2, %t] : memref<6x34xbf16>
      %r3 = gpu.subgroup_reduce minimumf %v : (bf16) -> (bf16)
      %i3 = arith.constant 3 : index
      memref.store %r3, %out[%i3, %t] : memref<6x34xbf16>
      %r4 = gpu.subgroup_reduce maxnumf %v : (bf16) -> (bf16)
      %i4 = arith.constant 4 : index
      memref.store %r4, %out[%i4, %t] : memref<6x34xbf16>
      %r5 = gpu.subgroup_reduce maximumf %v : (bf16) -> (bf16)
      %i5 = arith.constant 5 : index
      memref.store %r5, %out[%i5, %t] : memref<6x34xbf16>
    }
    gpu.terminator
  }
  return
}
