// test: opt --convert-llvm-intrinsics-to-math

func.func @floats(%x: f32, %y: f32) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32) {
  %n = arith.constant 3 : i32
  %0 = llvm.intr.fmuladd(%x, %y, %x) {fastmathFlags = #llvm.fastmath<contract>} : (f32, f32, f32) -> f32
  %1 = llvm.intr.fma(%x, %y, %x) : (f32, f32, f32) -> f32
  %2 = llvm.intr.fabs(%y) : (f32) -> f32
  %3 = llvm.intr.sqrt(%2) : (f32) -> f32
  %4 = llvm.intr.maxnum(%x, %y) : (f32, f32) -> f32
  %5 = llvm.intr.copysign(%x, %y) : (f32, f32) -> f32
  %6 = llvm.intr.powi(%x, %n) : (f32, i32) -> f32
  %7 = llvm.intr.rint(%y) : (f32) -> f32
  %8 = llvm.intr.floor(%y) : (f32) -> f32
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : f32, f32, f32, f32, f32, f32, f32, f32, f32
}

func.func @integers(%i: i32, %j: i32) -> (i32, i32, i32, i32, i32, i32, i32, i32) {
  %0 = "llvm.intr.abs"(%i) <{is_int_min_poison = false}> : (i32) -> i32
  %1 = llvm.intr.smax(%i, %j) : (i32, i32) -> i32
  %2 = llvm.intr.smin(%i, %j) : (i32, i32) -> i32
  %3 = llvm.intr.umax(%i, %j) : (i32, i32) -> i32
  %4 = llvm.intr.umin(%i, %j) : (i32, i32) -> i32
  %5 = "llvm.intr.ctlz"(%j) <{is_zero_poison = true}> : (i32) -> i32
  %6 = "llvm.intr.cttz"(%j) <{is_zero_poison = false}> : (i32) -> i32
  %7 = llvm.intr.ctpop(%j) : (i32) -> i32
  return %0, %1, %2, %3, %4, %5, %6, %7 : i32, i32, i32, i32, i32, i32, i32, i32
}

// Element by element.
func.func @vectors(%v: vector<4xf32>, %w: vector<4xi64>, %n: i32) -> (vector<4xf32>, vector<4xi64>) {
  %0 = llvm.intr.fmuladd(%v, %v, %v) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  %1 = llvm.intr.exp2(%0) : (vector<4xf32>) -> vector<4xf32>
  %2 = llvm.intr.umax(%w, %w) : (vector<4xi64>, vector<4xi64>) -> vector<4xi64>
  %3 = llvm.intr.powi(%1, %n) : (vector<4xf32>, i32) -> vector<4xf32>
  return %3, %2 : vector<4xf32>, vector<4xi64>
}
