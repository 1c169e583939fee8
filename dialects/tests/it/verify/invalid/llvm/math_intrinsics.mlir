// test: verify --split-input-file --verify-diagnostics
// Invariants of the intrinsics that compute what operations of arith and math do.

func.func @type(%a: f32) -> f64 {
  // expected-error @+1 {{'llvm.intr.sqrt' op requires the same type for all operands and results}}
  %0 = llvm.intr.sqrt(%a) : (f32) -> f64
  return %0 : f64
}

// -----

func.func @integer(%i: i32) -> i32 {
  // expected-error @+1 {{'llvm.intr.exp' op operand #0 must be floating point LLVM type or LLVM dialect-compatible vector of floating point LLVM type, but got 'i32'}}
  %0 = llvm.intr.exp(%i) : (i32) -> i32
  return %0 : i32
}

// -----

func.func @attribute(%i: i32) -> i32 {
  // expected-error @+1 {{'llvm.intr.ctlz' op requires attribute 'is_zero_poison'}}
  %0 = "llvm.intr.ctlz"(%i) : (i32) -> i32
  return %0 : i32
}
