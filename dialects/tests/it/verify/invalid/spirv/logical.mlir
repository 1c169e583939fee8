// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Rules of truth values.

func.func @f(%a: i32) {
  // expected-error@+1 {{failed to verify that type of result to correspond to the `i1` equivalent of the operand}}
  %0 = "spirv.IEqual"(%a, %a) : (i32, i32) -> vector<2xi1>
  return
}

// -----

func.func @f(%a: i32, %b: i64) {
  // expected-error@+1 {{requires all operands to have the same type}}
  %0 = "spirv.SLessThan"(%a, %b) : (i32, i64) -> i1
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{operand #0 must be bool or fixed-length vector of bool values of length 2/3/4/8/16}}
  %0 = "spirv.LogicalNot"(%a) : (i32) -> i1
  return
}

// -----

func.func @f(%a: f32) {
  // expected-error@+1 {{operand #0 must be 8/16/32/64-bit integer}}
  %0 = "spirv.UGreaterThan"(%a, %a) : (f32, f32) -> i1
  return
}

// -----

func.func @f(%c: vector<2xi1>, %a: i32) {
  // expected-error@+1 {{result expected to be of vector type when condition is of vector type}}
  %0 = spirv.Select %c, %a, %a : vector<2xi1>, i32
  return
}

// -----

func.func @f(%c: vector<2xi1>, %a: vector<3xi32>) {
  // expected-error@+1 {{result should have the same number of elements as the condition when condition is of vector type}}
  %0 = spirv.Select %c, %a, %a : vector<2xi1>, vector<3xi32>
  return
}

// -----

func.func @f(%c: i1, %a: i32, %b: i64) {
  // expected-error@+1 {{failed to verify that all of {true_value, false_value, result} have same type}}
  %0 = "spirv.Select"(%c, %a, %b) : (i1, i32, i64) -> i32
  return
}

// -----

func.func @f(%a: vector<2x2xi32>) {
  // expected-error@+1 {{'spirv.UGreaterThan' op failed to verify that type of result to correspond to the `i1` equivalent of the operand}}
  %0 = "spirv.UGreaterThan"(%a, %a) : (vector<2x2xi32>, vector<2x2xi32>) -> vector<2x2xi1>
  return
}
