// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
// except: part 2: mlir-opt prints attributes without a blank behind them
// Arithmetic on scalars, vectors and cooperative matrices.

func.func @arithmetic(%a0: f32, %a1: vector<4xf16>, %a2: !spirv.coopmatrix<8x16xf16, Subgroup, MatrixA>, %a3: vector<3xf64>, %a4: i64, %a5: vector<8xi8>, %a6: !spirv.coopmatrix<8x16xi32, Subgroup, MatrixAcc>, %a7: i32, %a8: vector<4xi16>) {
  %0 = spirv.FAdd %a0, %a0 : f32
  %1 = spirv.FAdd %a1, %a1 : vector<4xf16>
  %2 = spirv.FAdd %a2, %a2 : !spirv.coopmatrix<8x16xf16, Subgroup, MatrixA>
  %3 = spirv.FDiv %a0, %a0 : f32
  %4 = spirv.FDiv %a1, %a1 : vector<4xf16>
  %5 = spirv.FDiv %a2, %a2 : !spirv.coopmatrix<8x16xf16, Subgroup, MatrixA>
  %6 = spirv.FMod %a0, %a0 : f32
  %7 = spirv.FMod %a3, %a3 : vector<3xf64>
  %8 = spirv.FMul %a0, %a0 : f32
  %9 = spirv.FMul %a1, %a1 : vector<4xf16>
  %10 = spirv.FMul %a2, %a2 : !spirv.coopmatrix<8x16xf16, Subgroup, MatrixA>
  %11 = spirv.FNegate %a0 : f32
  %12 = spirv.FNegate %a1 : vector<4xf16>
  %13 = spirv.FNegate %a2 : !spirv.coopmatrix<8x16xf16, Subgroup, MatrixA>
  %14 = spirv.FRem %a0, %a0 : f32
  %15 = spirv.FRem %a3, %a3 : vector<3xf64>
  %16 = spirv.FSub %a0, %a0 : f32
  %17 = spirv.FSub %a1, %a1 : vector<4xf16>
  %18 = spirv.FSub %a2, %a2 : !spirv.coopmatrix<8x16xf16, Subgroup, MatrixA>
  %19 = spirv.IAdd %a4, %a4 : i64
  %20 = spirv.IAdd %a5, %a5 : vector<8xi8>
  %21 = spirv.IAdd %a6, %a6 : !spirv.coopmatrix<8x16xi32, Subgroup, MatrixAcc>
  %22 = spirv.IMul %a4, %a4 : i64
  %23 = spirv.IMul %a5, %a5 : vector<8xi8>
  %24 = spirv.IMul %a6, %a6 : !spirv.coopmatrix<8x16xi32, Subgroup, MatrixAcc>
  %25 = spirv.ISub %a4, %a4 : i64
  %26 = spirv.ISub %a5, %a5 : vector<8xi8>
  %27 = spirv.ISub %a6, %a6 : !spirv.coopmatrix<8x16xi32, Subgroup, MatrixAcc>
  %28 = spirv.SDiv %a4, %a4 : i64
  %29 = spirv.SDiv %a5, %a5 : vector<8xi8>
  %30 = spirv.SDiv %a6, %a6 : !spirv.coopmatrix<8x16xi32, Subgroup, MatrixAcc>
  %31 = spirv.SMod %a7, %a7 : i32
  %32 = spirv.SMod %a8, %a8 : vector<4xi16>
  %33 = spirv.SNegate %a4 : i64
  %34 = spirv.SNegate %a5 : vector<8xi8>
  %35 = spirv.SNegate %a6 : !spirv.coopmatrix<8x16xi32, Subgroup, MatrixAcc>
  %36 = spirv.SRem %a7, %a7 : i32
  %37 = spirv.SRem %a8, %a8 : vector<4xi16>
  %38 = spirv.UDiv %a4, %a4 : i64
  %39 = spirv.UDiv %a5, %a5 : vector<8xi8>
  %40 = spirv.UDiv %a6, %a6 : !spirv.coopmatrix<8x16xi32, Subgroup, MatrixAcc>
  %41 = spirv.UMod %a7, %a7 : i32
  %42 = spirv.UMod %a8, %a8 : vector<4xi16>
  return
}

// -----

func.func @extended(%a: i32, %v: vector<2xi16>, %x: vector<3xf32>, %s: f32, %b: vector<4xbf16>) {
  %0 = spirv.IAddCarry %a, %a : !spirv.struct<(i32, i32)>
  %1 = spirv.ISubBorrow %a, %a : !spirv.struct<(i32, i32)>
  %2 = spirv.SMulExtended %v, %v : !spirv.struct<(vector<2xi16>, vector<2xi16>)>
  %3 = spirv.UMulExtended {test.mark} %a, %a : !spirv.struct<(i32, i32)>
  %4 = spirv.Dot %x, %x : vector<3xf32> -> f32
  %5 = spirv.Dot %b, %b {test.mark} : vector<4xbf16> -> bf16
  %6 = spirv.VectorTimesScalar %x, %s : (vector<3xf32>, f32) -> vector<3xf32>
  %7 = spirv.FAdd %s, %s {fp_fast_math_mode = #spirv.fastmath_mode<NotNaN|NotInf>} : f32
  return
}
