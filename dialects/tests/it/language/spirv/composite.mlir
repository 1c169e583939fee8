// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
// Constants, and values made of others.

func.func @constants() {
  %0 = spirv.Constant true
  %1 = spirv.Constant 42 : i32
  %2 = spirv.Constant 0.5 : f32
  %3 = spirv.Constant dense<[2, 3]> : vector<2xi32>
  %4 = spirv.Constant [dense<[1, 2]> : tensor<2xi32>, dense<3> : tensor<2xi32>] : !spirv.array<2 x !spirv.array<2 x i32>>
  %5 = spirv.Constant dense<1.0> : tensor<2x3xf32> : !spirv.array<2 x !spirv.array<3 x f32>>
  %6 = spirv.Constant [1 : i32, 2 : i32] : !spirv.array<2 x i32>
  %7 = spirv.EXT.ConstantCompositeReplicate [1 : i32] : vector<2xi32>
  %8 = spirv.EXT.ConstantCompositeReplicate [dense<[1, 2]> : vector<2xi32>] : !spirv.array<3 x vector<2xi32>>
  %9 = spirv.Undef : f32
  %10 = spirv.Undef {test.mark} : !spirv.struct<(f32)>
  return
}

// -----

func.func @parts(%a: f32, %b: vector<2xf32>, %s: !spirv.struct<(f32, !spirv.array<4 x i32>)>,
    %r: !spirv.rtarray<f32>, %m: !spirv.coopmatrix<4x4xf32, Subgroup, MatrixA>, %i: i32) {
  %0 = spirv.CompositeConstruct %a, %a, %a : (f32, f32, f32) -> vector<3xf32>
  %1 = spirv.CompositeConstruct %b, %a : (vector<2xf32>, f32) -> vector<3xf32>
  %2 = spirv.CompositeConstruct %a {test.mark} : (f32) -> !spirv.coopmatrix<4x4xf32, Subgroup, MatrixA>
  %3 = spirv.CompositeConstruct %a, %i : (f32, i32) -> !spirv.struct<(f32, i32)>
  %4 = spirv.CompositeExtract %s[1 : i32, 2 : i32] : !spirv.struct<(f32, !spirv.array<4 x i32>)>
  %5 = spirv.CompositeExtract %r[100 : i32] : !spirv.rtarray<f32>
  %6 = spirv.CompositeExtract %m[2 : i32] : !spirv.coopmatrix<4x4xf32, Subgroup, MatrixA>
  %7 = spirv.CompositeInsert %i, %s[1 : i32, 0 : i32] : i32 into !spirv.struct<(f32, !spirv.array<4 x i32>)>
  return
}

// -----

func.func @vectors(%v: vector<4xf32>, %w: vector<2xf32>, %f: f32, %i: i32) {
  %0 = spirv.VectorExtractDynamic %v[%i] : vector<4xf32>, i32
  %1 = spirv.VectorInsertDynamic %f, %v[%i] {test.mark} : vector<4xf32>, i32
  %2 = spirv.VectorShuffle [1 : i32, 3 : i32, -1 : i32] %v, %w : vector<4xf32>, vector<2xf32> -> vector<3xf32>
  %3 = spirv.VectorShuffle {test.mark} [5 : i32, 0 : i32] %v, %w : vector<4xf32>, vector<2xf32> -> vector<2xf32>
  return
}
