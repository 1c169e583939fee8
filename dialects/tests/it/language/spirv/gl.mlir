// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
// The extended instructions of GLSL.

func.func @gl(%a0: f16, %a1: vector<2xf32>, %a2: f32, %a3: vector<3xf64>, %a4: i32, %a5: vector<4xi16>, %a6: vector<2xi32>) {
  %0 = spirv.GL.Acos %a0 : f16
  %1 = spirv.GL.Acos %a1 : vector<2xf32>
  %2 = spirv.GL.Acosh %a0 : f16
  %3 = spirv.GL.Acosh %a1 : vector<2xf32>
  %4 = spirv.GL.Asin %a0 : f16
  %5 = spirv.GL.Asin %a1 : vector<2xf32>
  %6 = spirv.GL.Asinh %a0 : f16
  %7 = spirv.GL.Asinh %a1 : vector<2xf32>
  %8 = spirv.GL.Atan %a0 : f16
  %9 = spirv.GL.Atan %a1 : vector<2xf32>
  %10 = spirv.GL.Atanh %a0 : f16
  %11 = spirv.GL.Atanh %a1 : vector<2xf32>
  %12 = spirv.GL.Ceil %a2 : f32
  %13 = spirv.GL.Ceil %a3 : vector<3xf64>
  %14 = spirv.GL.Cos %a0 : f16
  %15 = spirv.GL.Cos %a1 : vector<2xf32>
  %16 = spirv.GL.Cosh %a0 : f16
  %17 = spirv.GL.Cosh %a1 : vector<2xf32>
  %18 = spirv.GL.Cross %a2, %a2 : f32
  %19 = spirv.GL.Cross %a3, %a3 : vector<3xf64>
  %20 = spirv.GL.Exp %a0 : f16
  %21 = spirv.GL.Exp %a1 : vector<2xf32>
  %22 = spirv.GL.Exp2 %a0 : f16
  %23 = spirv.GL.Exp2 %a1 : vector<2xf32>
  %24 = spirv.GL.FAbs %a2 : f32
  %25 = spirv.GL.FAbs %a3 : vector<3xf64>
  %26 = spirv.GL.FClamp %a2, %a2, %a2 : f32
  %27 = spirv.GL.FClamp %a3, %a3, %a3 : vector<3xf64>
  %28 = spirv.GL.FMax %a2, %a2 : f32
  %29 = spirv.GL.FMax %a3, %a3 : vector<3xf64>
  %30 = spirv.GL.FMin %a2, %a2 : f32
  %31 = spirv.GL.FMin %a3, %a3 : vector<3xf64>
  %32 = spirv.GL.FSign %a2 : f32
  %33 = spirv.GL.FSign %a3 : vector<3xf64>
  %34 = spirv.GL.FindILsb %a4 : i32
  %35 = spirv.GL.FindILsb %a5 : vector<4xi16>
  %36 = spirv.GL.FindSMsb %a4 : i32
  %37 = spirv.GL.FindSMsb %a6 : vector<2xi32>
  %38 = spirv.GL.FindUMsb %a4 : i32
  %39 = spirv.GL.FindUMsb %a6 : vector<2xi32>
  %40 = spirv.GL.Floor %a2 : f32
  %41 = spirv.GL.Floor %a3 : vector<3xf64>
  %42 = spirv.GL.Fma %a2, %a2, %a2 : f32
  %43 = spirv.GL.Fma %a3, %a3, %a3 : vector<3xf64>
  %44 = spirv.GL.Fract %a2 : f32
  %45 = spirv.GL.Fract %a3 : vector<3xf64>
  %46 = spirv.GL.InverseSqrt %a2 : f32
  %47 = spirv.GL.InverseSqrt %a3 : vector<3xf64>
  %48 = spirv.GL.Log %a0 : f16
  %49 = spirv.GL.Log %a1 : vector<2xf32>
  %50 = spirv.GL.Log2 %a0 : f16
  %51 = spirv.GL.Log2 %a1 : vector<2xf32>
  %52 = spirv.GL.Normalize %a2 : f32
  %53 = spirv.GL.Normalize %a3 : vector<3xf64>
  %54 = spirv.GL.Pow %a0, %a0 : f16
  %55 = spirv.GL.Pow %a1, %a1 : vector<2xf32>
  %56 = spirv.GL.Reflect %a2, %a2 : f32
  %57 = spirv.GL.Reflect %a3, %a3 : vector<3xf64>
  %58 = spirv.GL.Round %a2 : f32
  %59 = spirv.GL.Round %a3 : vector<3xf64>
  %60 = spirv.GL.RoundEven %a2 : f32
  %61 = spirv.GL.RoundEven %a3 : vector<3xf64>
  %62 = spirv.GL.SAbs %a4 : i32
  %63 = spirv.GL.SAbs %a5 : vector<4xi16>
  %64 = spirv.GL.SClamp %a4, %a4, %a4 : i32
  %65 = spirv.GL.SClamp %a5, %a5, %a5 : vector<4xi16>
  %66 = spirv.GL.SMax %a4, %a4 : i32
  %67 = spirv.GL.SMax %a5, %a5 : vector<4xi16>
  %68 = spirv.GL.SMin %a4, %a4 : i32
  %69 = spirv.GL.SMin %a5, %a5 : vector<4xi16>
  %70 = spirv.GL.SSign %a4 : i32
  %71 = spirv.GL.SSign %a5 : vector<4xi16>
  %72 = spirv.GL.Sin %a0 : f16
  %73 = spirv.GL.Sin %a1 : vector<2xf32>
  %74 = spirv.GL.Sinh %a0 : f16
  %75 = spirv.GL.Sinh %a1 : vector<2xf32>
  %76 = spirv.GL.Sqrt %a2 : f32
  %77 = spirv.GL.Sqrt %a3 : vector<3xf64>
  %78 = spirv.GL.Tan %a0 : f16
  %79 = spirv.GL.Tan %a1 : vector<2xf32>
  %80 = spirv.GL.Tanh %a0 : f16
  %81 = spirv.GL.Tanh %a1 : vector<2xf32>
  %82 = spirv.GL.UClamp %a4, %a4, %a4 : i32
  %83 = spirv.GL.UClamp %a5, %a5, %a5 : vector<4xi16>
  %84 = spirv.GL.UMax %a4, %a4 : i32
  %85 = spirv.GL.UMax %a5, %a5 : vector<4xi16>
  %86 = spirv.GL.UMin %a4, %a4 : i32
  %87 = spirv.GL.UMin %a5, %a5 : vector<4xi16>
  return
}

// -----

func.func @mixed(%f: f32, %v: vector<3xf32>, %i: i32, %w: vector<3xi32>, %two: vector<2xf32>, %four: vector<4xf32>, %d: f64) {
  %0 = spirv.GL.Distance %v, %v : vector<3xf32>, vector<3xf32> -> f32
  %1 = spirv.GL.Distance %f, %f : f32, f32 -> f32
  %2 = spirv.GL.FMix %f : f32, %f : f32, %f : f32 -> f32
  %3 = spirv.GL.FMix {test.mark} %v : vector<3xf32>, %v : vector<3xf32>, %v : vector<3xf32> -> vector<3xf32>
  %4 = spirv.GL.FrexpStruct %f : f32 -> !spirv.struct<(f32, i32)>
  %5 = spirv.GL.FrexpStruct %v : vector<3xf32> -> !spirv.struct<(vector<3xf32>, vector<3xi32>)>
  %6 = spirv.GL.Ldexp %f : f32, %i : i32 -> f32
  %7 = spirv.GL.Ldexp %v : vector<3xf32>, %w : vector<3xi32> -> vector<3xf32>
  %8 = spirv.GL.Length %v : vector<3xf32> -> f32
  %9 = spirv.GL.Length %f {test.mark} : f32 -> f32
  %10 = spirv.GL.PackHalf2x16 %two : vector<2xf32> -> i32
  %11 = spirv.GL.PackSnorm4x8 %four : vector<4xf32> -> i32
  %12 = spirv.GL.UnpackHalf2x16 %i : i32 -> vector<2xf32>
  %13 = spirv.GL.UnpackSnorm4x8 %i : i32 -> vector<4xf32>
  %14 = spirv.GL.FClamp(%f, %f, %f) : (f32, f32, f32) -> f32
  %16 = spirv.GL.FClamp(%f, %f, %d) : (f32, f32, f64) -> f32
  %15 = spirv.GL.Fma %v, %v, %v {test.mark} : vector<3xf32>
  return
}
