// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @f0() {
  %0:2 = memref.alloca_scope -> (i32, f32) {
 %a = arith.constant 1 : i32
 %b = arith.constant 1.0 : f32
 memref.alloca_scope.return %a, %b : i32, f32
 }
  memref.alloca_scope {
 %a = memref.alloca() : memref<4xf32>
 memref.alloca_scope.return
 }
  memref.alloca_scope {}
  return
}
