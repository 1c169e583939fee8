// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @flags(%a: i32, %f: f32, %s: f8E8M0FNU) {
  %0 = arith.addi %a, %a overflow<nsw> : i32
  %1 = arith.subi %a, %a overflow<nsw, nuw> : i32
  %2 = arith.muli %a, %a overflow<none> : i32
  %3 = arith.shli %a, %a overflow<nuw,nsw> {b} : i32
  %4 = arith.trunci %a overflow<nuw> : i32 to i8
  %5 = arith.divsi %a, %a exact : i32
  %6 = arith.divui %a, %a exact : i32
  %7 = arith.shrsi %a, %a exact {b} : i32
  %8 = arith.shrui %a, %a exact : i32
  %9 = arith.scaling_truncf %f, %s upward fastmath<fast> : f32, f8E8M0FNU to f16
  %10 = arith.scaling_extf %s, %s fastmath<nnan> : f8E8M0FNU, f8E8M0FNU to f32
  %11 = "arith.addf"(%f, %f) {fastmath = #arith.fastmath<fast>} : (f32, f32) -> f32
  %12 = "arith.addf"(%f, %f) <{fastmath = #arith.fastmath<contract, nnan>}> : (f32, f32) -> f32
  %13:2 = arith.addui_extended %a, %a : i32, i1
  %14:2 = arith.mului_extended %a, %a : i32
  return
}
