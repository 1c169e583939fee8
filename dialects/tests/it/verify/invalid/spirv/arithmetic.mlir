// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Rules of arithmetic.

func.func @f(%a: i16) {
  // expected-error@+1 {{expected all operand types and struct member types are the same}}
  %0 = "spirv.IAddCarry"(%a, %a) : (i16, i16) -> !spirv.struct<(i32, i32)>
  return
}

// -----

func.func @f(%a: i16) {
  // expected-error@+1 {{expected result struct type containing two members}}
  %0 = "spirv.SMulExtended"(%a, %a) : (i16, i16) -> !spirv.struct<(i16, i16, i16)>
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{expected spirv.struct type with two members}}
  %0 = spirv.ISubBorrow %a, %a : !spirv.struct<(i32)>
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{operand #0 must be 16/32/64-bit float or fixed-length vector of 16/32/64-bit float values of length 2/3/4/8/16 or Cooperative Matrix of 16/32/64-bit float values}}
  %0 = spirv.FAdd %a, %a : i32
  return
}

// -----

func.func @f(%a: f32) {
  // expected-error@+1 {{operand #0 must be 8/16/32/64-bit integer or fixed-length vector of 8/16/32/64-bit integer values of length 2/3/4/8/16 or Cooperative Matrix of 8/16/32/64-bit integer values}}
  %0 = spirv.IAdd %a, %a : f32
  return
}

// -----

func.func @f(%a: f32, %b: f64) {
  // expected-error@+1 {{failed to verify that all of {operand1, operand2, result} have same type}}
  %0 = "spirv.FSub"(%a, %b) : (f32, f64) -> f32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{failed to verify that all of {operand, result} have same type}}
  %0 = "spirv.SNegate"(%a) : (i32) -> i64
  return
}

// -----

func.func @f(%a: vector<2xf32>, %b: vector<3xf32>) {
  // expected-error@+1 {{failed to verify that all of {vector1, vector2} have same type}}
  %0 = "spirv.Dot"(%a, %b) : (vector<2xf32>, vector<3xf32>) -> f32
  return
}

// -----

func.func @f(%a: vector<2xf32>) {
  // expected-error@+1 {{failed to verify that all of {vector1, result} have same element type}}
  %0 = spirv.Dot %a, %a : vector<2xf32> -> f16
  return
}

// -----

func.func @f(%a: vector<2xf32>, %b: f32) {
  // expected-error@+1 {{vector operand and result type mismatch}}
  %0 = spirv.VectorTimesScalar %a, %b : (vector<2xf32>, f32) -> vector<3xf32>
  return
}

// -----

func.func @f(%a: vector<2xf32>, %b: f16) {
  // expected-error@+1 {{scalar operand and result element type match}}
  %0 = spirv.VectorTimesScalar %a, %b : (vector<2xf32>, f16) -> vector<2xf32>
  return
}

// -----

func.func @f(%a: vector<5xi32>) {
  // expected-error@+1 {{operand #0 must be}}
  %0 = spirv.IMul %a, %a : vector<5xi32>
  return
}
