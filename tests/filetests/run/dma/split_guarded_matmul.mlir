// Double-buffered matrix product whose loop starts the transfers of the next tiles under a condition.
// A plain nest of loops counts the elements that differ from its own product; the sum of all
// elements is NumPy's.
//
// test: run --arg=iota --arg=iota --arg=zeros --arg=zeros --arg=zeros
// expect: arg 3 = [0]
// expect: arg 4 = [72622080]
// test: run --map-for=gpu --arg=iota --arg=iota --arg=zeros --arg=zeros --arg=zeros
// expect: arg 3 = [0]
// expect: arg 4 = [72622080]
func.func @matmul(%a: memref<32x32xi32>, %b: memref<32x32xi32>, %c: memref<32x32xi32>, %wrong: memref<1xi32>, %all: memref<1xi32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0 : i32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c4, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c8, %sz = %c1)
             workgroup(%ta : memref<2x8x16xi32, 3>, %tb : memref<2x16x8xi32, 3>)
             private(%tags : memref<4xi32, 5>) {
    affine.dma_start %a[%by * 8, 0 * 16], %ta[0, 0, 0], %tags[(0) * 2], %c128, %c32, %c16 : memref<32x32xi32>, memref<2x8x16xi32, 3>, memref<4xi32, 5>
    affine.dma_start %b[0 * 16, %bx * 8], %tb[0, 0, 0], %tags[(0) * 2 + 1], %c128, %c32, %c8 : memref<32x32xi32>, memref<2x16x8xi32, 3>, memref<4xi32, 5>
    %sum = affine.for %k = 0 to 2 iter_args(%acc = %zero) -> (i32) {
      affine.if affine_set<(d0) : (-d0 >= 0)>(%k) {
        affine.dma_start %a[%by * 8, (%k + 1) * 16], %ta[(%k + 1) mod 2, 0, 0], %tags[((%k + 1) mod 2) * 2], %c128, %c32, %c16 : memref<32x32xi32>, memref<2x8x16xi32, 3>, memref<4xi32, 5>
        affine.dma_start %b[(%k + 1) * 16, %bx * 8], %tb[(%k + 1) mod 2, 0, 0], %tags[((%k + 1) mod 2) * 2 + 1], %c128, %c32, %c8 : memref<32x32xi32>, memref<2x16x8xi32, 3>, memref<4xi32, 5>
      }
      affine.dma_wait %tags[(%k mod 2) * 2], %c128 : memref<4xi32, 5>
      affine.dma_wait %tags[(%k mod 2) * 2 + 1], %c128 : memref<4xi32, 5>
      %part = affine.for %e = 0 to 16 iter_args(%inner = %acc) -> (i32) {
        %x = affine.load %ta[%k mod 2, %ty, %e] : memref<2x8x16xi32, 3>
        %y = affine.load %tb[%k mod 2, %e, %tx] : memref<2x16x8xi32, 3>
        %p = arith.muli %x, %y : i32
        %s = arith.addi %inner, %p : i32
        affine.yield %s : i32
      }
      affine.yield %part : i32
    }
    affine.store %sum, %c[%by * 8 + %ty, %bx * 8 + %tx] : memref<32x32xi32>
    gpu.terminator
  }
  %n0 = arith.constant 0 : i32
  %n1 = arith.constant 1 : i32
  %errors, %total = affine.for %i = 0 to 32 iter_args(%bad = %n0, %t = %zero) -> (i32, i32) {
    %f, %u = affine.for %j = 0 to 32 iter_args(%bad1 = %bad, %t1 = %t) -> (i32, i32) {
      %want = affine.for %k = 0 to 32 iter_args(%acc = %zero) -> (i32) {
        %x = affine.load %a[%i, %k] : memref<32x32xi32>
        %y = affine.load %b[%k, %j] : memref<32x32xi32>
        %p = arith.muli %x, %y : i32
        %s = arith.addi %acc, %p : i32
        affine.yield %s : i32
      }
      %got = affine.load %c[%i, %j] : memref<32x32xi32>
      %differs = arith.cmpi ne, %got, %want : i32
      %more = arith.addi %bad1, %n1 : i32
      %next = arith.select %differs, %more, %bad1 : i32
      %t2 = arith.addi %t1, %got : i32
      affine.yield %next, %t2 : i32, i32
    }
    affine.yield %f, %u : i32, i32
  }
  affine.store %errors, %wrong[0] : memref<1xi32>
  affine.store %total, %all[0] : memref<1xi32>
  return
}
