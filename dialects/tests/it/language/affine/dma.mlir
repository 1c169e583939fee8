// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @plain(%far: memref<64x32xf64>, %near: memref<16xf64, 3>, %tag: memref<4x2xi32>, %n: index, %s: index) {
  affine.for %i = 0 to 16 {
    affine.for %j = 2 to 8 step 2 {
      affine.dma_start %far[%i * 4 + %j, %j floordiv 2], %near[%i], %tag[%i mod 4, 1], %n : memref<64x32xf64>, memref<16xf64, 3>, memref<4x2xi32>
      affine.dma_wait %tag[%i mod 4, 1], %n : memref<4x2xi32>
    }
  }
  return
}
// -----
func.func @strided(%far: memref<?xi8, 1>, %near: memref<8x8xi8>, %tag: memref<1xi32>, %n: index, %s: index, %each: index) {
  affine.for %i = 0 to 8 {
    affine.dma_start %near[%i, symbol(%s) + 1], %far[%i + symbol(%s) * 8], %tag[0], %n, %s, %each : memref<8x8xi8>, memref<?xi8, 1>, memref<1xi32>
    affine.dma_wait %tag[symbol(%s)], %n : memref<1xi32>
  }
  return
}
// -----
func.func @without_indices(%a: memref<f32>, %b: memref<f32, 5>, %tag: memref<i32>, %n: index) {
  affine.dma_start %a[], %b[], %tag[], %n : memref<f32>, memref<f32, 5>, memref<i32>
  affine.dma_wait %tag[], %n : memref<i32>
  return
}
// -----
func.func @generic(%a: memref<9x9xf32>, %b: memref<4xf32, 2>, %tag: memref<3xi32>, %i: index, %n: index) {
  "affine.dma_start"(%a, %i, %b, %i, %n, %tag, %n, %n, %i) {src_map = affine_map<(d0) -> (d0, 5)>, dst_map = affine_map<(d0)[s0] -> (d0 - s0)>, tag_map = affine_map<() -> (2)>} : (memref<9x9xf32>, index, memref<4xf32, 2>, index, index, memref<3xi32>, index, index, index) -> ()
  "affine.dma_wait"(%tag, %i, %n) {tag_map = affine_map<(d0) -> (d0 ceildiv 3)>} : (memref<3xi32>, index, index) -> ()
  return
}
// -----
// A comma without a stride after it.
func.func @no_stride(%a: memref<100xf32>, %b: memref<100xf32, 2>, %tag: memref<1xi32>, %n: index) {
  affine.for %i = 0 to 10 {
    affine.dma_start %a[%i], %b[%i], %tag[0], %n, : memref<100xf32>, memref<100xf32, 2>, memref<1xi32>
    memref.dma_start %a[%i], %b[%i], %n, %tag[%i], : memref<100xf32>, memref<100xf32, 2>, memref<1xi32>
  }
  return
}
