// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @f0(%m: memref<4xf32>, %i: index, %f: f32) {
  %0 = memref.load %m[%i] {nontemporal = true} : memref<4xf32>
  memref.store %f, %m[%i] {alignment = 4, nontemporal = true} : memref<4xf32>
  return
}
func.func @f1(%a: memref<4xf32>, %t: memref<1xi32>, %i: index) {
  memref.dma_start %a[%i], %a[%i], %i, %t[%i] : memref<4xf32>, memref<4xf32>, memref<1xi32>
  return
}
func.func @f2(%a: memref<4xf32>, %b: memref<4xf32, 1>, %t: memref<1xf32>, %i: index) {
  memref.dma_start %a[%i], %b[%i], %i, %t[%i] : memref<4xf32>, memref<4xf32, 1>, memref<1xf32>
  return
}
