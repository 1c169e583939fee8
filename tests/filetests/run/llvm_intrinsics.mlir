// test: run --entry=floats --arg=1.5 --arg=-2.25
// expect: result 0 = -1.875
// expect: result 1 = -1.875
// expect: result 2 = 2.25
// expect: result 3 = 1.5
// expect: result 4 = 1.5
// expect: result 5 = -1.5
// expect: result 6 = 3.375
// expect: result 7 = -2.0
// expect: result 8 = -3.0
// test: run --entry=integers --arg=-40 --arg=12
// expect: result 0 = 40
// expect: result 1 = 12
// expect: result 2 = -40
// expect: result 3 = -40
// expect: result 4 = 12
// expect: result 5 = 28
// expect: result 6 = 2
// expect: result 7 = 2
// test: run --entry=legs --arg=iota --arg=ones
// expect: arg 1 = [2.0, 3.0, 4.0, 5.0]

// Intrinsics of LLVM that compute what operations of math do, on the host.
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

// In a kernel: sqrt((x + 2)^2 - x * (4 * y + x)) * y + x, which is x + 2 for y = 1.
func.func @legs(%x: memref<4xf32>, %y: memref<4xf32>) {
  %two = arith.constant 2.0 : f32
  %four = arith.constant 4.0 : f32
  affine.for %i = 0 to 4 {
    %a = affine.load %x[%i] : memref<4xf32>
    %b = affine.load %y[%i] : memref<4xf32>
    %c = arith.addf %a, %two : f32
    %d = llvm.intr.fmuladd(%four, %b, %a) : (f32, f32, f32) -> f32
    %e = arith.mulf %a, %d : f32
    %f = arith.negf %e : f32
    %g = llvm.intr.fma(%c, %c, %f) : (f32, f32, f32) -> f32
    %h = llvm.intr.sqrt(%g) : (f32) -> f32
    %r = llvm.intr.fmuladd(%h, %b, %a) : (f32, f32, f32) -> f32
    affine.store %r, %y[%i] : memref<4xf32>
  }
  return
}
