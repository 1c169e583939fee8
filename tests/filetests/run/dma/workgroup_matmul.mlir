// Matrix product in workgroup memory, double-buffered: while a tile of each factor is
// multiplied, the next is on its way. The threads of a workgroup move the tiles
// together; each keeps one element of the product.
//
// test: run --arg=iota --arg=iota --arg=zeros
// expect: arg 2 = [1120, 1148, 1176, 1204, 1232, 1260, 1288, 1316, 2912, 3004, 3096, 3188, 3280, 3372, 3464, 3556, 4704, 4860, 5016, 5172, 5328, 5484, 5640, 5796, 6496, 6716, 6936, 7156, 7376, 7596, 7816, 8036, 8288, 8572, 8856, 9140, 9424, 9708, 9992, 10276, 10080, 10428, 10776, 11124, 11472, 11820, 12168, 12516, 11872, 12284, 12696, 13108, 13520, 13932, 14344, 14756, 13664, 14140, 14616, 15092, 15568, 16044, 16520, 16996]
func.func @matmul(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c2, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c4, %sz = %c1)
             workgroup(%ta : memref<2x4x4xf32, #gpu.address_space<workgroup>>,
                       %tb : memref<2x4x4xf32, #gpu.address_space<workgroup>>,
                       %tags : memref<4xi32, #gpu.address_space<workgroup>>) {
    %row = arith.muli %by, %c4 : index
    %col = arith.muli %bx, %c4 : index
    affine.dma_start %a[%row, 0], %ta[0, 0, 0], %tags[0], %c16, %c8, %c4
      : memref<8x8xf32>, memref<2x4x4xf32, #gpu.address_space<workgroup>>, memref<4xi32, #gpu.address_space<workgroup>>
    affine.dma_start %b[0, %col], %tb[0, 0, 0], %tags[1], %c16, %c8, %c4
      : memref<8x8xf32>, memref<2x4x4xf32, #gpu.address_space<workgroup>>, memref<4xi32, #gpu.address_space<workgroup>>
    %sum = scf.for %k = %c0 to %c2 step %c1 iter_args(%acc = %zero) -> (f32) {
      %cur = arith.remui %k, %c2 : index
      %next = arith.subi %c1, %cur : index
      %k1 = arith.addi %k, %c1 : index
      %more = arith.cmpi ult, %k1, %c2 : index
      %tag = arith.muli %cur, %c2 : index
      %tag1 = arith.addi %tag, %c1 : index
      scf.if %more {
        %at = arith.muli %k1, %c4 : index
        %ntag = arith.muli %next, %c2 : index
        %ntag1 = arith.addi %ntag, %c1 : index
        memref.dma_start %a[%row, %at], %ta[%next, %c0, %c0], %c16, %tags[%ntag], %c8, %c4
          : memref<8x8xf32>, memref<2x4x4xf32, #gpu.address_space<workgroup>>, memref<4xi32, #gpu.address_space<workgroup>>
        memref.dma_start %b[%at, %col], %tb[%next, %c0, %c0], %c16, %tags[%ntag1], %c8, %c4
          : memref<8x8xf32>, memref<2x4x4xf32, #gpu.address_space<workgroup>>, memref<4xi32, #gpu.address_space<workgroup>>
      }
      memref.dma_wait %tags[%tag], %c16 : memref<4xi32, #gpu.address_space<workgroup>>
      memref.dma_wait %tags[%tag1], %c16 : memref<4xi32, #gpu.address_space<workgroup>>
      %part = scf.for %e = %c0 to %c4 step %c1 iter_args(%inner = %acc) -> (f32) {
        %x = memref.load %ta[%cur, %ty, %e] : memref<2x4x4xf32, #gpu.address_space<workgroup>>
        %y = memref.load %tb[%cur, %e, %tx] : memref<2x4x4xf32, #gpu.address_space<workgroup>>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %inner, %p : f32
        scf.yield %s : f32
      }
      scf.yield %part : f32
    }
    %i = arith.addi %row, %ty : index
    %j = arith.addi %col, %tx : index
    memref.store %sum, %c[%i, %j] : memref<8x8xf32>
    gpu.terminator
  }
  return
}
