// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
// Comparisons and truth values.

func.func @logical(%a0: f32, %a1: vector<3xf64>, %a2: i32, %a3: vector<4xi16>, %a4: i1, %a5: vector<4xi1>) {
  %0 = spirv.FOrdEqual %a0, %a0 : f32
  %1 = spirv.FOrdEqual %a1, %a1 : vector<3xf64>
  %2 = spirv.FOrdGreaterThan %a0, %a0 : f32
  %3 = spirv.FOrdGreaterThan %a1, %a1 : vector<3xf64>
  %4 = spirv.FOrdGreaterThanEqual %a0, %a0 : f32
  %5 = spirv.FOrdGreaterThanEqual %a1, %a1 : vector<3xf64>
  %6 = spirv.FOrdLessThan %a0, %a0 : f32
  %7 = spirv.FOrdLessThan %a1, %a1 : vector<3xf64>
  %8 = spirv.FOrdLessThanEqual %a0, %a0 : f32
  %9 = spirv.FOrdLessThanEqual %a1, %a1 : vector<3xf64>
  %10 = spirv.FOrdNotEqual %a0, %a0 : f32
  %11 = spirv.FOrdNotEqual %a1, %a1 : vector<3xf64>
  %12 = spirv.FUnordEqual %a0, %a0 : f32
  %13 = spirv.FUnordEqual %a1, %a1 : vector<3xf64>
  %14 = spirv.FUnordGreaterThan %a0, %a0 : f32
  %15 = spirv.FUnordGreaterThan %a1, %a1 : vector<3xf64>
  %16 = spirv.FUnordGreaterThanEqual %a0, %a0 : f32
  %17 = spirv.FUnordGreaterThanEqual %a1, %a1 : vector<3xf64>
  %18 = spirv.FUnordLessThan %a0, %a0 : f32
  %19 = spirv.FUnordLessThan %a1, %a1 : vector<3xf64>
  %20 = spirv.FUnordLessThanEqual %a0, %a0 : f32
  %21 = spirv.FUnordLessThanEqual %a1, %a1 : vector<3xf64>
  %22 = spirv.FUnordNotEqual %a0, %a0 : f32
  %23 = spirv.FUnordNotEqual %a1, %a1 : vector<3xf64>
  %24 = spirv.IEqual %a2, %a2 : i32
  %25 = spirv.IEqual %a3, %a3 : vector<4xi16>
  %26 = spirv.INotEqual %a2, %a2 : i32
  %27 = spirv.INotEqual %a3, %a3 : vector<4xi16>
  %28 = spirv.IsFinite %a0 : f32
  %29 = spirv.IsFinite %a1 : vector<3xf64>
  %30 = spirv.IsInf %a0 : f32
  %31 = spirv.IsInf %a1 : vector<3xf64>
  %32 = spirv.IsNan %a0 : f32
  %33 = spirv.IsNan %a1 : vector<3xf64>
  %34 = spirv.LogicalAnd %a4, %a4 : i1
  %35 = spirv.LogicalAnd %a5, %a5 : vector<4xi1>
  %36 = spirv.LogicalEqual %a4, %a4 : i1
  %37 = spirv.LogicalEqual %a5, %a5 : vector<4xi1>
  %38 = spirv.LogicalNot %a4 : i1
  %39 = spirv.LogicalNot %a5 : vector<4xi1>
  %40 = spirv.LogicalNotEqual %a4, %a4 : i1
  %41 = spirv.LogicalNotEqual %a5, %a5 : vector<4xi1>
  %42 = spirv.LogicalOr %a4, %a4 : i1
  %43 = spirv.LogicalOr %a5, %a5 : vector<4xi1>
  %44 = spirv.Ordered %a0, %a0 : f32
  %45 = spirv.Ordered %a1, %a1 : vector<3xf64>
  %46 = spirv.SGreaterThan %a2, %a2 : i32
  %47 = spirv.SGreaterThan %a3, %a3 : vector<4xi16>
  %48 = spirv.SGreaterThanEqual %a2, %a2 : i32
  %49 = spirv.SGreaterThanEqual %a3, %a3 : vector<4xi16>
  %50 = spirv.SLessThan %a2, %a2 : i32
  %51 = spirv.SLessThan %a3, %a3 : vector<4xi16>
  %52 = spirv.SLessThanEqual %a2, %a2 : i32
  %53 = spirv.SLessThanEqual %a3, %a3 : vector<4xi16>
  %54 = spirv.UGreaterThan %a2, %a2 : i32
  %55 = spirv.UGreaterThan %a3, %a3 : vector<4xi16>
  %56 = spirv.UGreaterThanEqual %a2, %a2 : i32
  %57 = spirv.UGreaterThanEqual %a3, %a3 : vector<4xi16>
  %58 = spirv.ULessThan %a2, %a2 : i32
  %59 = spirv.ULessThan %a3, %a3 : vector<4xi16>
  %60 = spirv.ULessThanEqual %a2, %a2 : i32
  %61 = spirv.ULessThanEqual %a3, %a3 : vector<4xi16>
  %62 = spirv.Unordered %a0, %a0 : f32
  %63 = spirv.Unordered %a1, %a1 : vector<3xf64>
  return
}

// -----

func.func @select(%c: i1, %d: vector<2xi1>, %a: f32, %v: vector<2xi32>, %p: !spirv.ptr<f32, Function>) {
  %0 = spirv.Select %c, %a, %a : i1, f32
  %1 = spirv.Select %c, %v, %v : i1, vector<2xi32>
  %2 = spirv.Select %d, %v, %v {test.mark} : vector<2xi1>, vector<2xi32>
  %3 = spirv.Select %c, %p, %p : i1, !spirv.ptr<f32, Function>
  spirv.KHR.AssumeTrue %c
  return
}
