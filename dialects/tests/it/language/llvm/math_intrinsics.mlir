// test: roundtrip --split-input-file
// test: roundtrip --split-input-file --mlir-print-op-generic
// test: print --split-input-file
// Intrinsics that compute what operations of arith and math do.

func.func @written_out(%x: f32, %y: f32, %n: i32, %v: vector<4xf64>) {
  %0 = llvm.intr.fmuladd(%x, %y, %x) : (f32, f32, f32) -> f32
  %1 = llvm.intr.sqrt(%0) {fastmathFlags = #llvm.fastmath<nnan, contract>} : (f32) -> f32
  %2 = llvm.intr.atan2(%x, %y) : (f32, f32) -> f32
  %3 = llvm.intr.powi(%x, %n) : (f32, i32) -> f32
  %4 = llvm.intr.umin(%n, %n) : (i32, i32) -> i32
  %5 = llvm.intr.ctpop(%n) : (i32) -> i32
  %6 = llvm.intr.copysign(%v, %v) : (vector<4xf64>, vector<4xf64>) -> vector<4xf64>
  return
}

// Those with a flag of their own have no form but the generic one.
func.func @generic(%n: i32) -> i32 {
  %0 = "llvm.intr.abs"(%n) <{is_int_min_poison = true}> : (i32) -> i32
  %1 = "llvm.intr.ctlz"(%0) <{is_zero_poison = false}> : (i32) -> i32
  %2 = "llvm.intr.cttz"(%1) <{is_zero_poison = true}> : (i32) -> i32
  return %2 : i32
}
