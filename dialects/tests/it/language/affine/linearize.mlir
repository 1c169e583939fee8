// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @told(%i: index) {
  %0 = "affine.linearize_index"(%i) <{disjoint = false, operandSegmentSizes = array<i32: 1, 0>, static_basis = array<i64: 3>}> : (index) -> index
  %1 = "affine.linearize_index"(%i) <{disjoint = true, operandSegmentSizes = array<i32: 1, 0>, static_basis = array<i64: 3>}> : (index) -> index
  %2 = "affine.linearize_index"(%i) <{disjoint, operandSegmentSizes = array<i32: 1, 0>, static_basis = array<i64: 3>}> : (index) -> index
  %3 = "affine.linearize_index"(%i) <{operandSegmentSizes = array<i32: 1, 0>, static_basis = array<i64: 3>}> : (index) -> index
  return
}
