// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Rules of conversions.

func.func @f(%a: i32) {
  // expected-error@+1 {{result type must be different from operand type}}
  %0 = spirv.Bitcast %a : i32 to i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{unhandled bit cast conversion from non-pointer type to pointer type}}
  %0 = spirv.Bitcast %a : i32 to !spirv.ptr<f32, Function>
  return
}

// -----

func.func @f(%a: !spirv.ptr<f32, Function>) {
  // expected-error@+1 {{unhandled bit cast conversion from pointer type to non-pointer type}}
  %0 = spirv.Bitcast %a : !spirv.ptr<f32, Function> to i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{mismatch in result type bitwidth 64 and operand type bitwidth 32}}
  %0 = spirv.Bitcast %a : i32 to f64
  return
}

// -----

func.func @f(%a: f32) {
  // expected-error@+1 {{expected the different bit widths for operand type and result type, but provided 'f32' and 'f32'}}
  %0 = spirv.FConvert %a : f32 to f32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{expected the different bit widths for operand type and result type, but provided 'i32' and 'i32'}}
  %0 = spirv.UConvert %a : i32 to i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{requires the same shape for all operands and results}}
  %0 = spirv.SConvert %a : i32 to vector<2xi64>
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{operand #0 must be 16/32/64-bit float or BFloat16}}
  %0 = spirv.ConvertFToS %a : i32 to i64
  return
}

// -----

func.func @f(%a: !spirv.ptr<f32, Function>) {
  // expected-error@+1 {{pointer type must be of storage class Generic}}
  %0 = spirv.GenericCastToPtr %a : !spirv.ptr<f32, Function> to !spirv.ptr<f32, Workgroup>
  return
}

// -----

func.func @f(%a: !spirv.ptr<f32, Generic>) {
  // expected-error@+1 {{result must point to the Workgroup, CrossWorkgroup, or Function Storage Class}}
  %0 = spirv.GenericCastToPtrExplicit %a : !spirv.ptr<f32, Generic> to !spirv.ptr<f32, Uniform>
  return
}

// -----

func.func @f(%a: !spirv.ptr<f32, Generic>) {
  // expected-error@+1 {{pointer operand's pointee type must have the same as the op result type, but found 'f32' vs 'i32'}}
  %0 = spirv.GenericCastToPtr %a : !spirv.ptr<f32, Generic> to !spirv.ptr<i32, Function>
  return
}

// -----

func.func @f(%a: !spirv.ptr<f32, Uniform>) {
  // expected-error@+1 {{pointer must point to the Workgroup, CrossWorkgroup, or Function Storage Class}}
  %0 = spirv.PtrCastToGeneric %a : !spirv.ptr<f32, Uniform> to !spirv.ptr<f32, Generic>
  return
}

// -----

func.func @f(%a: !spirv.ptr<f32, Function>) {
  // expected-error@+1 {{result type must be of storage class Generic}}
  %0 = spirv.PtrCastToGeneric %a : !spirv.ptr<f32, Function> to !spirv.ptr<f32, Workgroup>
  return
}

// -----

func.func @f(%a: !spirv.ptr<f32, Generic>) {
  // expected-error@+1 {{result must be a scalar type of unsigned integer}}
  %0 = spirv.ConvertPtrToU %a : !spirv.ptr<f32, Generic> to si32
  return
}

// -----

spirv.module Logical GLSL450 {
  spirv.func @f(%a: !spirv.ptr<f32, Generic>) "None" {
    // expected-error@+1 {{operand must be a physical pointer}}
    %0 = spirv.ConvertPtrToU %a : !spirv.ptr<f32, Generic> to i32
    spirv.Return
  }
}

// -----

spirv.module PhysicalStorageBuffer64 GLSL450 {
  spirv.func @f(%a: i64) "None" {
    // expected-error@+1 {{result must be a physical pointer}}
    %0 = spirv.ConvertUToPtr %a : i64 to !spirv.ptr<f32, Generic>
    spirv.Return
  }
}

// -----

func.func @f(%a: f32) {
  // expected-error@+1 {{'spirv.FConvert' op requires the same shape for all operands and results}}
  %0 = "spirv.FConvert"(%a) : (f32) -> !spirv.coopmatrix<16x16xf16, Subgroup, MatrixAcc>
  return
}
