// Elements of 1, 2, 4 and 8 bytes in all directions, from odd places to odd places: from global
// memory to that of the workgroup and of each thread and back, with strides there, and within each
// memory. The 8 bytes are those of integers, since not every device has 64-bit floats.
//
// test: run --arg=iota --arg=zeros --arg=zeros --arg=iota --arg=zeros --arg=zeros --arg=iota --arg=zeros --arg=zeros --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [0, 3, 4, 0, 7, 0, 8, 9, 1, 8, 0, 13, 14, 2, 9, 0, 18, 19, 3, 10, 20, 21, 22]
// expect: arg 2 = [3, 8, 13, 18, 0, 7, 8, 9, 10]
// expect: arg 4 = [0, 3, 4, 0, 7, 0, 8, 9, 1, 8, 0, 13, 14, 2, 9, 0, 18, 19, 3, 10, 20, 21, 22]
// expect: arg 5 = [3, 8, 13, 18, 0, 7, 8, 9, 10]
// expect: arg 7 = [0, 3, 4, 0, 7, 0, 8, 9, 1, 8, 0, 13, 14, 2, 9, 0, 18, 19, 3, 10, 20, 21, 22]
// expect: arg 8 = [3, 8, 13, 18, 0, 7, 8, 9, 10]
// expect: arg 10 = [0, 3, 4, 0, 7, 0, 8, 9, 1, 8, 0, 13, 14, 2, 9, 0, 18, 19, 3, 10, 20, 21, 22]
// expect: arg 11 = [3, 8, 13, 18, 0, 7, 8, 9, 10]
// test: run --map-for=gpu --arg=iota --arg=zeros --arg=zeros --arg=iota --arg=zeros --arg=zeros --arg=iota --arg=zeros --arg=zeros --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [0, 3, 4, 0, 7, 0, 8, 9, 1, 8, 0, 13, 14, 2, 9, 0, 18, 19, 3, 10, 20, 21, 22]
// expect: arg 2 = [3, 8, 13, 18, 0, 7, 8, 9, 10]
// expect: arg 4 = [0, 3, 4, 0, 7, 0, 8, 9, 1, 8, 0, 13, 14, 2, 9, 0, 18, 19, 3, 10, 20, 21, 22]
// expect: arg 5 = [3, 8, 13, 18, 0, 7, 8, 9, 10]
// expect: arg 7 = [0, 3, 4, 0, 7, 0, 8, 9, 1, 8, 0, 13, 14, 2, 9, 0, 18, 19, 3, 10, 20, 21, 22]
// expect: arg 8 = [3, 8, 13, 18, 0, 7, 8, 9, 10]
// expect: arg 10 = [0, 3, 4, 0, 7, 0, 8, 9, 1, 8, 0, 13, 14, 2, 9, 0, 18, 19, 3, 10, 20, 21, 22]
// expect: arg 11 = [3, 8, 13, 18, 0, 7, 8, 9, 10]
func.func @f(%a0: memref<23xi8>, %b0: memref<23xi8>, %c0: memref<9xi8>, %a1: memref<23xi16>, %b1: memref<23xi16>, %c1: memref<9xi16>, %a2: memref<23xf32>, %b2: memref<23xf32>, %c2: memref<9xf32>, %a3: memref<23xi64>, %b3: memref<23xi64>, %c3: memref<9xi64>) {
  %c_0 = arith.constant 0 : index
  %c_1 = arith.constant 1 : index
  %c_2 = arith.constant 2 : index
  %c_3 = arith.constant 3 : index
  %c_4 = arith.constant 4 : index
  %c_5 = arith.constant 5 : index
  %c_7 = arith.constant 7 : index
  %c_8 = arith.constant 8 : index
  %c_16 = arith.constant 16 : index
  %c_20 = arith.constant 20 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c_1, %gy = %c_1, %gz = %c_1)
             threads(%tx, %ty, %tz) in (%sx = %c_4, %sy = %c_1, %sz = %c_1)
             workgroup(%s : memref<9xi8, 3>, %r : memref<12xi8, 3>, %u : memref<16xi8, 3>) private(%p : memref<4xi8, 5>, %q : memref<4xi8, 5>, %tag : memref<1xi32, 5>) {
    %twice = arith.muli %tx, %c_2 : index
    %pair = arith.addi %twice, %c_2 : index
    %four = arith.muli %tx, %c_4 : index
    memref.dma_start %a0[%c_3], %s[%c_1], %c_8, %tag[%c_0], %c_5, %c_2 : memref<23xi8>, memref<9xi8, 3>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_8 : memref<1xi32, 5>
    memref.dma_start %s[%c_1], %r[%c_2], %c_8, %tag[%c_0] : memref<9xi8, 3>, memref<12xi8, 3>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_8 : memref<1xi32, 5>
    memref.dma_start %r[%pair], %p[%c_1], %c_2, %tag[%c_0] : memref<12xi8, 3>, memref<4xi8, 5>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_2 : memref<1xi32, 5>
    memref.dma_start %p[%c_1], %q[%c_0], %c_2, %tag[%c_0] : memref<4xi8, 5>, memref<4xi8, 5>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_2 : memref<1xi32, 5>
    memref.dma_start %a0[%tx], %q[%c_2], %c_2, %tag[%c_0], %c_7, %c_1 : memref<23xi8>, memref<4xi8, 5>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_2 : memref<1xi32, 5>
    memref.dma_start %q[%c_0], %u[%four], %c_4, %tag[%c_0] : memref<4xi8, 5>, memref<16xi8, 3>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_4 : memref<1xi32, 5>
    memref.dma_start %u[%c_0], %b0[%c_1], %c_16, %tag[%c_0], %c_5, %c_4 : memref<16xi8, 3>, memref<23xi8>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_16 : memref<1xi32, 5>
    memref.dma_start %a0[%c_20], %b0[%c_20], %c_3, %tag[%c_0] : memref<23xi8>, memref<23xi8>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_3 : memref<1xi32, 5>
    %last = memref.load %q[%c_3] : memref<4xi8, 5>
    memref.store %last, %q[%c_1] : memref<4xi8, 5>
    memref.dma_start %q[%c_0], %c0[%tx], %c_2, %tag[%c_0], %c_5, %c_1 : memref<4xi8, 5>, memref<9xi8>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_2 : memref<1xi32, 5>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c_1, %gy = %c_1, %gz = %c_1)
             threads(%tx, %ty, %tz) in (%sx = %c_4, %sy = %c_1, %sz = %c_1)
             workgroup(%s : memref<9xi16, 3>, %r : memref<12xi16, 3>, %u : memref<16xi16, 3>) private(%p : memref<4xi16, 5>, %q : memref<4xi16, 5>, %tag : memref<1xi32, 5>) {
    %twice = arith.muli %tx, %c_2 : index
    %pair = arith.addi %twice, %c_2 : index
    %four = arith.muli %tx, %c_4 : index
    memref.dma_start %a1[%c_3], %s[%c_1], %c_8, %tag[%c_0], %c_5, %c_2 : memref<23xi16>, memref<9xi16, 3>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_8 : memref<1xi32, 5>
    memref.dma_start %s[%c_1], %r[%c_2], %c_8, %tag[%c_0] : memref<9xi16, 3>, memref<12xi16, 3>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_8 : memref<1xi32, 5>
    memref.dma_start %r[%pair], %p[%c_1], %c_2, %tag[%c_0] : memref<12xi16, 3>, memref<4xi16, 5>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_2 : memref<1xi32, 5>
    memref.dma_start %p[%c_1], %q[%c_0], %c_2, %tag[%c_0] : memref<4xi16, 5>, memref<4xi16, 5>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_2 : memref<1xi32, 5>
    memref.dma_start %a1[%tx], %q[%c_2], %c_2, %tag[%c_0], %c_7, %c_1 : memref<23xi16>, memref<4xi16, 5>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_2 : memref<1xi32, 5>
    memref.dma_start %q[%c_0], %u[%four], %c_4, %tag[%c_0] : memref<4xi16, 5>, memref<16xi16, 3>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_4 : memref<1xi32, 5>
    memref.dma_start %u[%c_0], %b1[%c_1], %c_16, %tag[%c_0], %c_5, %c_4 : memref<16xi16, 3>, memref<23xi16>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_16 : memref<1xi32, 5>
    memref.dma_start %a1[%c_20], %b1[%c_20], %c_3, %tag[%c_0] : memref<23xi16>, memref<23xi16>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_3 : memref<1xi32, 5>
    %last = memref.load %q[%c_3] : memref<4xi16, 5>
    memref.store %last, %q[%c_1] : memref<4xi16, 5>
    memref.dma_start %q[%c_0], %c1[%tx], %c_2, %tag[%c_0], %c_5, %c_1 : memref<4xi16, 5>, memref<9xi16>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_2 : memref<1xi32, 5>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c_1, %gy = %c_1, %gz = %c_1)
             threads(%tx, %ty, %tz) in (%sx = %c_4, %sy = %c_1, %sz = %c_1)
             workgroup(%s : memref<9xf32, 3>, %r : memref<12xf32, 3>, %u : memref<16xf32, 3>) private(%p : memref<4xf32, 5>, %q : memref<4xf32, 5>, %tag : memref<1xi32, 5>) {
    %twice = arith.muli %tx, %c_2 : index
    %pair = arith.addi %twice, %c_2 : index
    %four = arith.muli %tx, %c_4 : index
    memref.dma_start %a2[%c_3], %s[%c_1], %c_8, %tag[%c_0], %c_5, %c_2 : memref<23xf32>, memref<9xf32, 3>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_8 : memref<1xi32, 5>
    memref.dma_start %s[%c_1], %r[%c_2], %c_8, %tag[%c_0] : memref<9xf32, 3>, memref<12xf32, 3>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_8 : memref<1xi32, 5>
    memref.dma_start %r[%pair], %p[%c_1], %c_2, %tag[%c_0] : memref<12xf32, 3>, memref<4xf32, 5>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_2 : memref<1xi32, 5>
    memref.dma_start %p[%c_1], %q[%c_0], %c_2, %tag[%c_0] : memref<4xf32, 5>, memref<4xf32, 5>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_2 : memref<1xi32, 5>
    memref.dma_start %a2[%tx], %q[%c_2], %c_2, %tag[%c_0], %c_7, %c_1 : memref<23xf32>, memref<4xf32, 5>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_2 : memref<1xi32, 5>
    memref.dma_start %q[%c_0], %u[%four], %c_4, %tag[%c_0] : memref<4xf32, 5>, memref<16xf32, 3>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_4 : memref<1xi32, 5>
    memref.dma_start %u[%c_0], %b2[%c_1], %c_16, %tag[%c_0], %c_5, %c_4 : memref<16xf32, 3>, memref<23xf32>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_16 : memref<1xi32, 5>
    memref.dma_start %a2[%c_20], %b2[%c_20], %c_3, %tag[%c_0] : memref<23xf32>, memref<23xf32>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_3 : memref<1xi32, 5>
    %last = memref.load %q[%c_3] : memref<4xf32, 5>
    memref.store %last, %q[%c_1] : memref<4xf32, 5>
    memref.dma_start %q[%c_0], %c2[%tx], %c_2, %tag[%c_0], %c_5, %c_1 : memref<4xf32, 5>, memref<9xf32>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_2 : memref<1xi32, 5>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c_1, %gy = %c_1, %gz = %c_1)
             threads(%tx, %ty, %tz) in (%sx = %c_4, %sy = %c_1, %sz = %c_1)
             workgroup(%s : memref<9xi64, 3>, %r : memref<12xi64, 3>, %u : memref<16xi64, 3>) private(%p : memref<4xi64, 5>, %q : memref<4xi64, 5>, %tag : memref<1xi32, 5>) {
    %twice = arith.muli %tx, %c_2 : index
    %pair = arith.addi %twice, %c_2 : index
    %four = arith.muli %tx, %c_4 : index
    memref.dma_start %a3[%c_3], %s[%c_1], %c_8, %tag[%c_0], %c_5, %c_2 : memref<23xi64>, memref<9xi64, 3>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_8 : memref<1xi32, 5>
    memref.dma_start %s[%c_1], %r[%c_2], %c_8, %tag[%c_0] : memref<9xi64, 3>, memref<12xi64, 3>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_8 : memref<1xi32, 5>
    memref.dma_start %r[%pair], %p[%c_1], %c_2, %tag[%c_0] : memref<12xi64, 3>, memref<4xi64, 5>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_2 : memref<1xi32, 5>
    memref.dma_start %p[%c_1], %q[%c_0], %c_2, %tag[%c_0] : memref<4xi64, 5>, memref<4xi64, 5>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_2 : memref<1xi32, 5>
    memref.dma_start %a3[%tx], %q[%c_2], %c_2, %tag[%c_0], %c_7, %c_1 : memref<23xi64>, memref<4xi64, 5>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_2 : memref<1xi32, 5>
    memref.dma_start %q[%c_0], %u[%four], %c_4, %tag[%c_0] : memref<4xi64, 5>, memref<16xi64, 3>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_4 : memref<1xi32, 5>
    memref.dma_start %u[%c_0], %b3[%c_1], %c_16, %tag[%c_0], %c_5, %c_4 : memref<16xi64, 3>, memref<23xi64>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_16 : memref<1xi32, 5>
    memref.dma_start %a3[%c_20], %b3[%c_20], %c_3, %tag[%c_0] : memref<23xi64>, memref<23xi64>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_3 : memref<1xi32, 5>
    %last = memref.load %q[%c_3] : memref<4xi64, 5>
    memref.store %last, %q[%c_1] : memref<4xi64, 5>
    memref.dma_start %q[%c_0], %c3[%tx], %c_2, %tag[%c_0], %c_5, %c_1 : memref<4xi64, 5>, memref<9xi64>, memref<1xi32, 5>
    memref.dma_wait %tag[%c_0], %c_2 : memref<1xi32, 5>
    gpu.terminator
  }
  return
}
