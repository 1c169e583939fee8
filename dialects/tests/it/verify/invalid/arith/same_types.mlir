// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%a: tensor<?xf32>, %b: tensor<4xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{inferred type(s) 'tensor<?xf32>' are incompatible with return type(s) of operation 'tensor<4xf32>'}}
  %0 = "arith.addf"(%a, %b) : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<?xf32>, %b: tensor<*xf32>) {
  // expected-error@+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = "arith.addf"(%a, %b) : (tensor<?xf32>, tensor<*xf32>) -> tensor<?xf32>
  return
}
// -----
func.func @f(%a: vector<4xf32>, %b: vector<[4]xf32>) {
  // expected-error@+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = "arith.addf"(%a, %b) : (vector<4xf32>, vector<[4]xf32>) -> vector<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf32, "e">, %b: tensor<4xf32>) {
  // expected-error@+1 {{requires the same encoding for all operands and results}}
  %0 = "arith.addf"(%a, %b) : (tensor<4xf32, "e">, tensor<4xf32>) -> tensor<4xf32, "e">
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error@+1 {{requires the same type for all operands and results}}
  %0 = "arith.addf"(%a, %b) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{result type has i1 element type and same shape as operands}}
  %0 = "arith.cmpf"(%a, %a) <{predicate = 1 : i64}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<?xi1>
  return
}
// -----
func.func @f(%a: f32, %b: vector<4xi64>) {
  // expected-error@+1 {{requires the same shape for all operands and results}}
  %0 = math.fpowi %a, %b : f32, vector<4xi64>
  return
}
// -----
func.func @f(%a: i32) {
  // expected-error@+1 {{failed to verify that all of {lhs, rhs, low, high} have same type}}
  %0:2 = "arith.mulsi_extended"(%a, %a) : (i32, i32) -> (i32, i64)
  return
}
// -----
func.func @f(%a: vector<4xi32>) {
  // expected-error@+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0:2 = arith.addui_extended %a, %a : vector<4xi32>, vector<5xi1>
  return
}
// -----
func.func @f(%a: vector<4xi32>) {
  // expected-error@+1 {{if an operand is non-scalar, then all results must be non-scalar}}
  %0:2 = arith.addui_extended %a, %a : vector<4xi32>, i1
  return
}
