// test: run --entry=squares --arg=iota[2x32] --arg=zeros[2x32] --arg=zeros[2]
// expect: arg 1 = [0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 256, 289, 324, 361, 400, 441, 484, 529, 576, 625, 676, 729, 784, 841, 900, 961, 1024, 1089, 1156, 1225, 1296, 1369, 1444, 1521, 1600, 1681, 1764, 1849, 1936, 2025, 2116, 2209, 2304, 2401, 2500, 2601, 2704, 2809, 2916, 3025, 3136, 3249, 3364, 3481, 3600, 3721, 3844, 3969]
// expect: arg 2 = [31, 63]
// test: run --entry=gathered --arg=iota[8x2] --arg=zeros[8x2]
// expect: arg 1 = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]

// A row of 32 is read by the first lane of each warp and handed out; its last element goes to all.
func.func @squares(%a: memref<?x32xf32>, %o: memref<?x32xf32>, %last: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?x32xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %r:2 = gpu.warp_execute_on_lane_0(%tx)[32] -> (vector<1xf32>, f32) {
      %v = vector.transfer_read %a[%bx, %c0], %zero {in_bounds = [true]}
          : memref<?x32xf32>, vector<32xf32>
      %w = arith.mulf %v, %v : vector<32xf32>
      %e = vector.extract %v[31] : f32 from vector<32xf32>
      gpu.yield %w, %e : vector<32xf32>, f32
    }
    %e = vector.extract %r#0[0] : f32 from vector<1xf32>
    memref.store %e, %o[%bx, %tx] : memref<?x32xf32>
    %c31 = arith.constant 31 : index
    %is_last = arith.cmpi eq, %tx, %c31 : index
    scf.if %is_last {
      memref.store %r#1, %last[%bx] : memref<?xf32>
    }
    gpu.terminator
  }
  return
}

// Two elements of each lane of a warp of 8 are reversed by the first one, in two dimensions.
func.func @gathered(%a: memref<?x2xi32>, %o: memref<?x2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1) {
    %x = memref.load %a[%tx, %c0] : memref<?x2xi32>
    %y = memref.load %a[%tx, %c1] : memref<?x2xi32>
    %own = vector.from_elements %x, %y : vector<1x2xi32>
    %r = gpu.warp_execute_on_lane_0(%tx)[8] args(%own : vector<1x2xi32>) -> (vector<2xi32>) {
    ^bb0(%all: vector<8x2xi32>):
      %flat = vector.shape_cast %all : vector<8x2xi32> to vector<16xi32>
      %back = vector.shuffle %flat, %flat [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
          : vector<16xi32>, vector<16xi32>
      gpu.yield %back : vector<16xi32>
    }
    %p = vector.extract %r[0] : i32 from vector<2xi32>
    %q = vector.extract %r[1] : i32 from vector<2xi32>
    memref.store %p, %o[%tx, %c0] : memref<?x2xi32>
    memref.store %q, %o[%tx, %c1] : memref<?x2xi32>
    gpu.terminator
  }
  return
}

// Four warps of 8 lanes in one subgroup: each has a first lane.
// test: run --entry=four --arg=iota[32] --arg=zeros[32]
// expect: arg 1 = [0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8, 16, 16, 16, 16, 16, 16, 16, 16, 24, 24, 24, 24, 24, 24, 24, 24]
func.func @four(%a: memref<32xindex>, %o: memref<32xindex>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %c8 = arith.constant 8 : index
    %lane = arith.remui %tx, %c8 : index
    %own = memref.load %a[%tx] : memref<32xindex>
    %first = gpu.warp_execute_on_lane_0(%lane)[8] args(%own : index) -> (index) {
    ^bb0(%x: index):
      gpu.yield %x : index
    }
    memref.store %first, %o[%tx] : memref<32xindex>
    gpu.terminator
  }
  return
}
