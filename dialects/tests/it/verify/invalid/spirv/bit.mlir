// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Rules of bits.

func.func @f(%a: i32, %b: i64) {
  // expected-error@+1 {{failed to verify that all of {operand1, result} have same type}}
  %0 = "spirv.ShiftLeftLogical"(%a, %b) : (i32, i64) -> i64
  return
}

// -----

func.func @f(%a: i32, %v: vector<2xi32>) {
  // expected-error@+1 {{requires the same shape for all operands and results}}
  %0 = spirv.ShiftRightLogical %a, %v : i32, vector<2xi32>
  return
}

// -----

func.func @f(%a: i32, %b: i64, %n: i8) {
  // expected-error@+1 {{failed to verify that all of {base, insert, result} have same type}}
  %0 = "spirv.BitFieldInsert"(%a, %b, %n, %n) : (i32, i64, i8, i8) -> i32
  return
}

// -----

func.func @f(%a: f32, %n: i8) {
  // expected-error@+1 {{operand #0 must be 8/16/32/64-bit integer or fixed-length vector}}
  %0 = spirv.BitFieldSExtract %a, %n, %n : f32, i8, i8
  return
}

// -----

func.func @f(%a: f32) {
  // expected-error@+1 {{operand #0 must be 8/16/32/64-bit integer}}
  %0 = spirv.BitReverse %a : f32
  return
}

// -----

func.func @f(%a: i32, %b: i64) {
  // expected-error@+1 {{requires the same type for all operands and results}}
  %0 = "spirv.BitwiseOr"(%a, %b) : (i32, i64) -> i32
  return
}
