// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @f0(%a: memref<4xf32>, %b: memref<?xf32>) {
  memref.copy %a, %b : memref<4xf32> to memref<?xf32>
  return
}
func.func @f1(%a: memref<4xf32>, %b: memref<*xf32>) {
  memref.copy %a, %b : memref<4xf32> to memref<*xf32>
  return
}
func.func @f2(%i: index) {
  %0 = memref.alloc(%i) {alignment = 8} : memref<?xf32>
  %1 = memref.alloc(%i)[%i] : memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
  %2 = memref.alloca() : memref<4xf32>
  %3 = memref.alloc()[%i, %i] : memref<4xf32, strided<[?], offset: ?>>
  return
}
func.func @f3(%m: memref<4xf32>, %i: index) {
  %0 = memref.realloc %m : memref<4xf32> to memref<8xf32>
  %1 = memref.realloc %m(%i) {alignment = 8} : memref<4xf32> to memref<?xf32>
  return
}
