// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @first(%v: vector<2xf32>, %w: vector<2xf32>) {
  // expected-error@+1 {{'vector.shuffle' op failed to verify that first operand v1 and result have same element type}}
  %0 = "vector.shuffle"(%v, %w) <{mask = array<i64: 0>}> : (vector<2xf32>, vector<2xf32>) -> vector<1xf64>
  return
}

// -----

func.func @second(%v: vector<2xf32>, %w: vector<2xf64>) {
  // expected-error@+1 {{'vector.shuffle' op failed to verify that second operand v2 and result have same element type}}
  %0 = vector.shuffle %v, %w [0] : vector<2xf32>, vector<2xf64>
  return
}

// -----

func.func @rank(%v: vector<2xf32>, %w: vector<2x2xf32>) {
  // expected-error@+1 {{'vector.shuffle' op rank mismatch}}
  %0 = vector.shuffle %v, %w [0, 1] : vector<2xf32>, vector<2x2xf32>
  return
}

// -----

func.func @shape(%v: vector<2x4xf32>, %w: vector<2x3xf32>) {
  // expected-error@+1 {{'vector.shuffle' op dimension mismatch}}
  %0 = vector.shuffle %v, %w [0, 1] : vector<2x4xf32>, vector<2x3xf32>
  return
}

// -----

func.func @no_mask(%v: vector<2xf32>) {
  // expected-error@+1 {{'vector.shuffle' op invalid mask length}}
  %0 = vector.shuffle %v, %v [] : vector<2xf32>, vector<2xf32>
  return
}

// -----

func.func @length(%v: vector<2xf32>) {
  // expected-error@+1 {{'vector.shuffle' op mask length mismatch}}
  %0 = "vector.shuffle"(%v, %v) <{mask = array<i64: 0, 1>}> : (vector<2xf32>, vector<2xf32>) -> vector<3xf32>
  return
}

// -----

func.func @range(%v: vector<2xf32>) {
  // expected-error@+1 {{'vector.shuffle' op mask index #2 out of range}}
  %0 = vector.shuffle %v, %v [0, 4] : vector<2xf32>, vector<2xf32>
  return
}

// -----

func.func @scalable(%v: vector<[2]xf32>) {
  // expected-error@+1 {{must be fixed-length vector of any type values, but got 'vector<[2]xf32>'}}
  %0 = vector.shuffle %v, %v [0, 1] : vector<[2]xf32>, vector<[2]xf32>
  return
}

// -----

func.func @interleave_operands(%v: vector<2xf32>, %w: vector<3xf32>) {
  // expected-error@+1 {{'vector.interleave' op failed to verify that all of {lhs, rhs} have same type}}
  %0 = "vector.interleave"(%v, %w) : (vector<2xf32>, vector<3xf32>) -> vector<4xf32>
  return
}

// -----

func.func @interleave_result(%v: vector<2xf32>) {
  // expected-error@+1 {{'vector.interleave' op failed to verify that type of 'result' is double the width of the inputs}}
  %0 = vector.interleave %v, %v : vector<2xf32> -> vector<3xf32>
  return
}

// -----

func.func @deinterleave_odd(%v: vector<3xf32>) {
  // expected-error@+1 {{'vector.deinterleave' op failed to verify that the trailing dimension of the source vector has an even number of elements}}
  %0, %1 = vector.deinterleave %v : vector<3xf32> -> vector<1xf32>
  return
}

// -----

func.func @deinterleave_result(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.deinterleave' op failed to verify that the trailing dimension of the results is half the width of source trailing dimension}}
  %0, %1 = vector.deinterleave %v : vector<4xf32> -> vector<4xf32>
  return
}

// -----

func.func @deinterleave_results(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.deinterleave' op failed to verify that all of {res1, res2} have same type}}
  %0, %1 = "vector.deinterleave"(%v) : (vector<4xf32>) -> (vector<2xf32>, vector<3xf32>)
  return
}

// -----

func.func @deinterleave_both(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.deinterleave' op failed to verify that the trailing dimension of the results is half the width of source trailing dimension}}
  %0, %1 = "vector.deinterleave"(%v) : (vector<4xf32>) -> (vector<4xf32>, vector<2xf32>)
  return
}

// -----

func.func @deinterleave_one(%v: vector<3xf32>) {
  // expected-error@+1 {{'vector.deinterleave' op failed to verify that the trailing dimension of the source vector has an even number of elements}}
  %0, %1 = "vector.deinterleave"(%v) : (vector<3xf32>) -> (vector<4xf32>, vector<2xf32>)
  return
}

// -----

func.func @tensors(%v: tensor<2xf32>) {
  // expected-error@+1 {{'vector.shuffle' op operand #0 must be fixed-length vector of any type values, but got 'tensor<2xf32>'}}
  %0 = vector.shuffle %v, %v [0, 1] : tensor<2xf32>, tensor<2xf32>
  return
}
