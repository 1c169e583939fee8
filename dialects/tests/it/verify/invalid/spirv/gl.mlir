// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Rules of the extended instructions.

func.func @f(%a: f64) {
  // expected-error@+1 {{operand #0 must be 16/32-bit float or fixed-length vector of 16/32-bit float values of length 2/3/4/8/16}}
  %0 = spirv.GL.Exp %a : f64
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{operand #0 must be 16/32/64-bit float}}
  %0 = spirv.GL.Floor %a : i32
  return
}

// -----

func.func @f(%v: vector<2xf32>, %b: i32) {
  // expected-error@+1 {{operands must both be scalars or vectors}}
  %0 = spirv.GL.Ldexp %v : vector<2xf32>, %b : i32 -> vector<2xf32>
  return
}

// -----

func.func @f(%v: vector<2xf32>, %b: vector<3xi32>) {
  // expected-error@+1 {{operands must have the same number of elements}}
  %0 = spirv.GL.Ldexp %v : vector<2xf32>, %b : vector<3xi32> -> vector<2xf32>
  return
}

// -----

func.func @f(%a: f32) {
  // expected-error@+1 {{result type must be a struct type with two memebers}}
  %0 = spirv.GL.FrexpStruct %a : f32 -> !spirv.struct<(f32, i32, i32)>
  return
}

// -----

func.func @f(%a: f32) {
  // expected-error@+1 {{member zero of the resulting struct type must be the same type as the operand}}
  %0 = spirv.GL.FrexpStruct %a : f32 -> !spirv.struct<(f64, i32)>
  return
}

// -----

func.func @f(%a: f32) {
  // expected-error@+1 {{member one of the resulting struct type must be a scalar or vector of 32 bit integer type}}
  %0 = spirv.GL.FrexpStruct %a : f32 -> !spirv.struct<(f32, i64)>
  return
}

// -----

func.func @f(%a: vector<2xf32>) {
  // expected-error@+1 {{member one of the resulting struct type must have the same number of components as the operand type}}
  %0 = spirv.GL.FrexpStruct %a : vector<2xf32> -> !spirv.struct<(vector<2xf32>, vector<3xi32>)>
  return
}

// -----

func.func @f(%a: vector<2xf32>) {
  // expected-error@+1 {{result type must match operand element type}}
  %0 = spirv.GL.Length %a : vector<2xf32> -> f16
  return
}

// -----

func.func @f(%a: vector<2xf32>) {
  // expected-error@+1 {{result type must match operand element type}}
  %0 = spirv.GL.Distance %a, %a : vector<2xf32>, vector<2xf32> -> f16
  return
}

// -----

func.func @f(%a: vector<3xf32>) {
  // expected-error@+1 {{operand #0 must be vector of Float32 values of length 2}}
  %0 = spirv.GL.PackHalf2x16 %a : vector<3xf32> -> i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{operand #0 must be 16/32/64-bit float}}
  %0 = spirv.CL.fabs %a : i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{operand #0 must be any SPIR-V pointer type}}
  %0 = spirv.CL.printf %a : i32 -> i32
  return
}
