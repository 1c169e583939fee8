// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @lhs(%a: vector<4xf32>, %b: vector<2xf64>) {
  // expected-error@+1 {{'vector.outerproduct' op failed to verify that rhs operand and result have same element type}}
  %0 = vector.outerproduct %a, %b : vector<4xf32>, vector<2xf64>
  return
}

// -----

func.func @result(%a: vector<4xf32>, %b: vector<2xf32>) {
  // expected-error@+1 {{'vector.outerproduct' op failed to verify that lhs operand and result have same element type}}
  %0 = "vector.outerproduct"(%a, %b) : (vector<4xf32>, vector<2xf32>) -> vector<4x2xf64>
  return
}

// -----

func.func @lhs_rank(%a: vector<4x4xf32>, %b: vector<2xf32>) {
  // expected-error@+1 {{'vector.outerproduct' op expected 1-d vector for operand #1}}
  %0 = vector.outerproduct %a, %b : vector<4x4xf32>, vector<2xf32>
  return
}

// -----

func.func @rhs_rank(%a: vector<4xf32>, %b: vector<2x2xf32>) {
  // expected-error@+1 {{'vector.outerproduct' op expected 1-d vector for operand #2}}
  %0 = vector.outerproduct %a, %b : vector<4xf32>, vector<2x2xf32>
  return
}

// -----

func.func @result_rank(%a: vector<4xf32>, %b: vector<2xf32>) {
  // expected-error@+1 {{'vector.outerproduct' op expected 2-d vector result}}
  %0 = "vector.outerproduct"(%a, %b) : (vector<4xf32>, vector<2xf32>) -> vector<8xf32>
  return
}

// -----

func.func @rows(%a: vector<4xf32>, %b: vector<2xf32>) {
  // expected-error@+1 {{'vector.outerproduct' op expected #1 operand dim to match result dim #1}}
  %0 = "vector.outerproduct"(%a, %b) : (vector<4xf32>, vector<2xf32>) -> vector<3x2xf32>
  return
}

// -----

func.func @columns(%a: vector<4xf32>, %b: vector<2xf32>) {
  // expected-error@+1 {{'vector.outerproduct' op expected #2 operand dim to match result dim #2}}
  %0 = "vector.outerproduct"(%a, %b) : (vector<4xf32>, vector<2xf32>) -> vector<4x3xf32>
  return
}

// -----

func.func @scalable(%a: vector<[4]xf32>, %b: vector<2xf32>) {
  // expected-error@+1 {{'vector.outerproduct' op expected either both or only #2 operand dim to be scalable}}
  %0 = vector.outerproduct %a, %b : vector<[4]xf32>, vector<2xf32>
  return
}

// -----

func.func @scalar_rank(%a: vector<4xf32>, %b: f32) {
  // expected-error@+1 {{'vector.outerproduct' op expected 1-d vector result}}
  %0 = "vector.outerproduct"(%a, %b) : (vector<4xf32>, f32) -> vector<4x1xf32>
  return
}

// -----

func.func @scalar_rows(%a: vector<4xf32>, %b: f32) {
  // expected-error@+1 {{'vector.outerproduct' op expected #1 operand dim to match result dim #1}}
  %0 = "vector.outerproduct"(%a, %b) : (vector<4xf32>, f32) -> vector<3xf32>
  return
}

// -----

func.func @accumulator(%a: vector<4xf32>, %b: vector<2xf32>, %c: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.outerproduct' op expected operand #3 of same type as result type}}
  %0 = "vector.outerproduct"(%a, %b, %c) : (vector<4xf32>, vector<2xf32>, vector<2x4xf32>) -> vector<4x2xf32>
  return
}

// -----

func.func @kind(%a: vector<4xf32>, %b: vector<2xf32>) {
  // expected-error@+1 {{'vector.outerproduct' op unsupported outerproduct type}}
  %0 = vector.outerproduct %a, %b {kind = #vector.kind<or>} : vector<4xf32>, vector<2xf32>
  return
}

// -----

func.func @fma(%a: vector<4xf32>, %b: vector<2xf32>) {
  // expected-error@+1 {{'vector.fma' op failed to verify that all of {lhs, rhs, acc, result} have same type}}
  %0 = "vector.fma"(%a, %a, %b) : (vector<4xf32>, vector<4xf32>, vector<2xf32>) -> vector<4xf32>
  return
}

// -----

func.func @fma_of_integers(%a: vector<4xi32>) {
  // expected-error@+1 {{must be vector of floating-point values, but got 'vector<4xi32>'}}
  %0 = vector.fma %a, %a, %a : vector<4xi32>
  return
}

// -----

func.func @one_operand(%a: vector<4xf32>) {
  // expected-error@+1 {{custom op 'vector.outerproduct' expected at least 2 operands}}
  %0 = vector.outerproduct %a : vector<4xf32>, vector<4xf32>
  return
}

// -----

func.func @scalars(%a: f32) {
  // expected-error@+1 {{custom op 'vector.outerproduct' expected vector type for operand #1}}
  %0 = vector.outerproduct %a, %a : f32, f32
  return
}

// -----

func.func @f(%a: vector<4xf32>, %b: vector<4x4xf32>) {
  // expected-error@+1 {{'vector.outerproduct' op expected 1-d vector for operand #2}}
  %r = "vector.outerproduct"(%a, %b) <{kind = #vector.kind<add>}> : (vector<4xf32>, vector<4x4xf32>) -> vector<4x4xf32>
  return
}
