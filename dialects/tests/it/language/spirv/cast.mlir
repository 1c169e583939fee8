// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
// Conversions between types.

func.func @numbers(%i: i32, %u: vector<3xi16>, %f: f32, %v: vector<3xf16>, %b: bf16, %m: !spirv.coopmatrix<4x4xf16, Subgroup, MatrixA>) {
  %0 = spirv.Bitcast %i : i32 to f32
  %1 = spirv.Bitcast %u : vector<3xi16> to vector<3xf16>
  %2 = spirv.ConvertFToS %f : f32 to i64
  %3 = spirv.ConvertFToU %v : vector<3xf16> to vector<3xi32>
  %4 = spirv.ConvertSToF %i : i32 to f32
  %5 = spirv.ConvertUToF %u {test.mark} : vector<3xi16> to vector<3xf64>
  %6 = spirv.FConvert %f : f32 to f64
  %7 = spirv.FConvert %b : bf16 to f32
  %8 = spirv.FConvert %m : !spirv.coopmatrix<4x4xf16, Subgroup, MatrixA> to !spirv.coopmatrix<4x4xf32, Subgroup, MatrixA>
  %9 = spirv.SConvert %i : i32 to i64
  %10 = spirv.UConvert %u : vector<3xi16> to vector<3xi8>
  return
}

// -----

func.func @pointers(%p: !spirv.ptr<f32, CrossWorkgroup>, %g: !spirv.ptr<f32, Generic>, %n: i64) {
  %0 = spirv.PtrCastToGeneric %p : !spirv.ptr<f32, CrossWorkgroup> to !spirv.ptr<f32, Generic>
  %1 = spirv.GenericCastToPtr %g : !spirv.ptr<f32, Generic> to !spirv.ptr<f32, Workgroup>
  %2 = spirv.GenericCastToPtrExplicit %g : !spirv.ptr<f32, Generic> to !spirv.ptr<f32, Function>
  %3 = spirv.ConvertPtrToU %p : !spirv.ptr<f32, CrossWorkgroup> to i64
  %4 = spirv.ConvertUToPtr %n : i64 to !spirv.ptr<f32, CrossWorkgroup>
  %5 = spirv.Bitcast %p : !spirv.ptr<f32, CrossWorkgroup> to !spirv.ptr<i32, CrossWorkgroup>
  return
}

// -----

spirv.module PhysicalStorageBuffer64 GLSL450 {
  spirv.func @pointer(%p: !spirv.ptr<f32, PhysicalStorageBuffer> {spirv.decoration = #spirv.decoration<Aliased>}) -> i64 "None" {
    %0 = spirv.ConvertPtrToU %p : !spirv.ptr<f32, PhysicalStorageBuffer> to i64
    spirv.ReturnValue %0 : i64
  }
}

// -----

func.func @intel(%f: f32, %v: vector<4xi16>) {
  %0 = spirv.INTEL.ConvertFToBF16 %f : f32 to i16
  %1 = spirv.INTEL.ConvertBF16ToF %v : vector<4xi16> to vector<4xf32>
  %2 = spirv.INTEL.RoundFToTF32 %f : f32 to f32
  return
}
