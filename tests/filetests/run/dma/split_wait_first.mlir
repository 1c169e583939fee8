// The wait stands in front of the next start, and what has come is read behind that. The sums of
// the reversed rows are NumPy's.
//
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [666, 660, 654, 648, 642, 636, 630, 624, 618, 612, 606, 600, 594, 588, 582, 576, 570, 564, 558, 552, 546, 540, 534, 528, 522, 516, 510, 504, 498, 492, 486, 480, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
// test: run --map-for=gpu --arg=iota --arg=zeros
// expect: arg 1 = [666, 660, 654, 648, 642, 636, 630, 624, 618, 612, 606, 600, 594, 588, 582, 576, 570, 564, 558, 552, 546, 540, 534, 528, 522, 516, 510, 504, 498, 492, 486, 480, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
func.func @f(%a: memref<192xf32>, %o: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1)
             workgroup(%s : memref<2x32xf32, 3>) private(%tag : memref<2xi32, 5>) {
    affine.dma_start %a[0], %s[0, 0], %tag[0], %c32 : memref<192xf32>, memref<2x32xf32, 3>, memref<2xi32, 5>
    %sum = affine.for %k = 0 to 6 iter_args(%acc = %zero) -> (f32) {
      affine.dma_wait %tag[%k mod 2], %c32 : memref<2xi32, 5>
      affine.if affine_set<(d0) : (-d0 + 4 >= 0)>(%k) {
        affine.dma_start %a[%k * 32 + 32], %s[(%k + 1) mod 2, 0], %tag[(%k + 1) mod 2], %c32 : memref<192xf32>, memref<2x32xf32, 3>, memref<2xi32, 5>
      }
      %x = affine.load %s[%k mod 2, -%tx + 31] : memref<2x32xf32, 3>
      %y = arith.addf %acc, %x : f32
      affine.yield %y : f32
    }
    affine.store %sum, %o[%tx] : memref<64xf32>
    gpu.terminator
  }
  return
}
