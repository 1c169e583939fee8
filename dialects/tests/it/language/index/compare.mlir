// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @compare(%i: index, %j: index) {
  %0 = index.cmp eq(%i, %j)
  %1 = index.cmp ne(%i, %j)
  %2 = index.cmp slt(%i, %j)
  %3 = index.cmp sle(%i, %j)
  %4 = index.cmp sgt(%i, %j)
  %5 = index.cmp sge(%i, %j)
  %6 = index.cmp ult(%i, %j)
  %7 = index.cmp ule(%i, %j)
  %8 = index.cmp ugt(%i, %j)
  %9 = index.cmp uge(%i, %j) {a = #index<cmp_predicate uge>}
  return
}
