// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%c: tensor<?xi1>, %a: tensor<4xf32>) {
  // expected-error@+1 {{failed to verify that condition is signless i1 or has matching shape}}
  %0 = arith.select %c, %a, %a : tensor<?xi1>, tensor<4xf32>
  return
}
// -----
func.func @f(%c: vector<[4]xi1>, %a: vector<4xf32>) {
  // expected-error@+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = arith.select %c, %a, %a : vector<[4]xi1>, vector<4xf32>
  return
}
// -----
func.func @f(%c: tensor<4xi1>, %a: tensor<4xf32, "e">) {
  // expected-error@+1 {{expected condition type to have the same shape as the result type, expected 'tensor<4xi1, "e">', but got 'tensor<4xi1>'}}
  %0 = arith.select %c, %a, %a : tensor<4xi1>, tensor<4xf32, "e">
  return
}

// -----

%c, %a = "t.v"() : () -> (i2, i32)
// expected-error@+1 {{'arith.select' op operand #0 must be bool-like, but got 'i2'}}
%r = "arith.select"(%c, %a, %a) : (i2, i32, i32) -> i32
