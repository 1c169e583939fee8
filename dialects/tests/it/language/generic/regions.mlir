// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
// In a region of the generic form names belong to the dialect that they belong to around it.
module {
  "a.b"() ({
    %0 = unrealized_conversion_cast to i32
    module {
    }
  }) : () -> ()
}
// -----
// What sizes of groups were called before.
func.func @sizes(%i: index) {
  %0 = "memref.alloc"(%i) {operand_segment_sizes = array<i32: 1, 0>} : (index) -> memref<?xf32>
  %1 = "memref.alloc"(%i) <{operand_segment_sizes = array<i32: 1, 0>}> : (index) -> memref<?xf32>
  return
}
