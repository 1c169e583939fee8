// Each `width` neighbouring lanes shuffle among themselves, as in CUDA; -1 where the lane does not
// exist. Of 36 threads, the last subgroup has 4.
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [9, 8, 11, 10, 13, 12, 15, 14, 1, 0, 3, 2, 5, 4, 7, 6, 25, 24, 27, 26, 29, 28, 31, 30, 17, 16, 19, 18, 21, 20, 23, 22, -1, -1, -1, -1, -1, -1, -1, 0, 1, 2, 3, 4, -1, -1, -1, 8, 9, 10, 11, 12, -1, -1, -1, 16, 17, 18, 19, 20, -1, -1, -1, 24, 25, 26, 27, 28, -1, -1, -1, 32, 5, 6, 7, -1, -1, -1, -1, -1, 13, 14, 15, -1, -1, -1, -1, -1, 21, 22, 23, -1, -1, -1, -1, -1, 29, 30, 31, -1, -1, -1, -1, -1, -1, -1, -1, -1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 34, 34, 34, 34]
func.func @lanes(%a: memref<36xi32>, %o: memref<4x36xi32>) {
  %c1 = arith.constant 1 : index
  %c36 = arith.constant 36 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c36, %sy = %c1, %sz = %c1) {
    %none = arith.constant -1 : i32
    %v = memref.load %a[%tx] : memref<36xi32>
    %w0 = arith.constant 16 : i32
    %d0 = arith.constant 9 : i32
    %s0, %p0 = gpu.shuffle xor %v, %d0, %w0 : i32
    %r0 = arith.select %p0, %s0, %none : i32
    %i0 = arith.constant 0 : index
    memref.store %r0, %o[%i0, %tx] : memref<4x36xi32>
    %w1 = arith.constant 8 : i32
    %d1 = arith.constant 3 : i32
    %s1, %p1 = gpu.shuffle up %v, %d1, %w1 : i32
    %r1 = arith.select %p1, %s1, %none : i32
    %i1 = arith.constant 1 : index
    memref.store %r1, %o[%i1, %tx] : memref<4x36xi32>
    %w2 = arith.constant 8 : i32
    %d2 = arith.constant 5 : i32
    %s2, %p2 = gpu.shuffle down %v, %d2, %w2 : i32
    %r2 = arith.select %p2, %s2, %none : i32
    %i2 = arith.constant 2 : index
    memref.store %r2, %o[%i2, %tx] : memref<4x36xi32>
    %w3 = arith.constant 16 : i32
    %d3 = arith.constant 2 : i32
    %s3, %p3 = gpu.shuffle idx %v, %d3, %w3 : i32
    %r3 = arith.select %p3, %s3, %none : i32
    %i3 = arith.constant 3 : index
    memref.store %r3, %o[%i3, %tx] : memref<4x36xi32>
    gpu.terminator
  }
  return
}
