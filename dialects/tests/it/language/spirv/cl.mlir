// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
// The extended instructions of OpenCL.

func.func @cl(%a0: f32, %a1: vector<3xf64>, %a2: i32, %a3: vector<4xi16>) {
  %0 = spirv.CL.acos %a0 : f32
  %1 = spirv.CL.acos %a1 : vector<3xf64>
  %2 = spirv.CL.acosh %a0 : f32
  %3 = spirv.CL.acosh %a1 : vector<3xf64>
  %4 = spirv.CL.asin %a0 : f32
  %5 = spirv.CL.asin %a1 : vector<3xf64>
  %6 = spirv.CL.asinh %a0 : f32
  %7 = spirv.CL.asinh %a1 : vector<3xf64>
  %8 = spirv.CL.atan %a0 : f32
  %9 = spirv.CL.atan %a1 : vector<3xf64>
  %10 = spirv.CL.atan2 %a0, %a0 : f32
  %11 = spirv.CL.atan2 %a1, %a1 : vector<3xf64>
  %12 = spirv.CL.atanh %a0 : f32
  %13 = spirv.CL.atanh %a1 : vector<3xf64>
  %14 = spirv.CL.ceil %a0 : f32
  %15 = spirv.CL.ceil %a1 : vector<3xf64>
  %16 = spirv.CL.cos %a0 : f32
  %17 = spirv.CL.cos %a1 : vector<3xf64>
  %18 = spirv.CL.cosh %a0 : f32
  %19 = spirv.CL.cosh %a1 : vector<3xf64>
  %20 = spirv.CL.erf %a0 : f32
  %21 = spirv.CL.erf %a1 : vector<3xf64>
  %22 = spirv.CL.exp %a0 : f32
  %23 = spirv.CL.exp %a1 : vector<3xf64>
  %24 = spirv.CL.fabs %a0 : f32
  %25 = spirv.CL.fabs %a1 : vector<3xf64>
  %26 = spirv.CL.floor %a0 : f32
  %27 = spirv.CL.floor %a1 : vector<3xf64>
  %28 = spirv.CL.fma %a0, %a0, %a0 : f32
  %29 = spirv.CL.fma %a1, %a1, %a1 : vector<3xf64>
  %30 = spirv.CL.fmax %a0, %a0 : f32
  %31 = spirv.CL.fmax %a1, %a1 : vector<3xf64>
  %32 = spirv.CL.fmin %a0, %a0 : f32
  %33 = spirv.CL.fmin %a1, %a1 : vector<3xf64>
  %34 = spirv.CL.log %a0 : f32
  %35 = spirv.CL.log %a1 : vector<3xf64>
  %36 = spirv.CL.mix %a0, %a0, %a0 : f32
  %37 = spirv.CL.mix %a1, %a1, %a1 : vector<3xf64>
  %38 = spirv.CL.pow %a0, %a0 : f32
  %39 = spirv.CL.pow %a1, %a1 : vector<3xf64>
  %40 = spirv.CL.rint %a0 : f32
  %41 = spirv.CL.rint %a1 : vector<3xf64>
  %42 = spirv.CL.round %a0 : f32
  %43 = spirv.CL.round %a1 : vector<3xf64>
  %44 = spirv.CL.rsqrt %a0 : f32
  %45 = spirv.CL.rsqrt %a1 : vector<3xf64>
  %46 = spirv.CL.s_abs %a2 : i32
  %47 = spirv.CL.s_abs %a3 : vector<4xi16>
  %48 = spirv.CL.s_max %a2, %a2 : i32
  %49 = spirv.CL.s_max %a3, %a3 : vector<4xi16>
  %50 = spirv.CL.s_min %a2, %a2 : i32
  %51 = spirv.CL.s_min %a3, %a3 : vector<4xi16>
  %52 = spirv.CL.sin %a0 : f32
  %53 = spirv.CL.sin %a1 : vector<3xf64>
  %54 = spirv.CL.sinh %a0 : f32
  %55 = spirv.CL.sinh %a1 : vector<3xf64>
  %56 = spirv.CL.sqrt %a0 : f32
  %57 = spirv.CL.sqrt %a1 : vector<3xf64>
  %58 = spirv.CL.tan %a0 : f32
  %59 = spirv.CL.tan %a1 : vector<3xf64>
  %60 = spirv.CL.tanh %a0 : f32
  %61 = spirv.CL.tanh %a1 : vector<3xf64>
  %62 = spirv.CL.u_max %a2, %a2 : i32
  %63 = spirv.CL.u_max %a3, %a3 : vector<4xi16>
  %64 = spirv.CL.u_min %a2, %a2 : i32
  %65 = spirv.CL.u_min %a3, %a3 : vector<4xi16>
  return
}

// -----

func.func @printf(%format: !spirv.ptr<i8, UniformConstant>, %a: i32, %b: f32) {
  %0 = spirv.CL.printf %format : !spirv.ptr<i8, UniformConstant> -> i32
  %1 = spirv.CL.printf %format %a, %b : !spirv.ptr<i8, UniformConstant>, i32, f32 -> i32
  return
}
