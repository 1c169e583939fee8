// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{failed to verify that input and output have the same tensor dimensions}}
  %0 = arith.extf %a : tensor<4xf32> to tensor<?xf64>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  // expected-error@+1 {{failed to verify that input and output have the same tensor dimensions}}
  %0 = arith.extf %a : tensor<*xf32> to tensor<4xf64>
  return
}
// -----
func.func @f(%a: tensor<4xi32>) {
  // expected-error@+1 {{failed to verify that input and output have the same tensor dimensions}}
  %0 = arith.sitofp %a : tensor<4xi32> to vector<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %s: tensor<4xf8E8M0FNU>) {
  // expected-error@+1 {{failed to verify that input and output have the same tensor dimensions}}
  %0 = arith.scaling_truncf %a, %s : tensor<4xf32>, tensor<4xf8E8M0FNU> to tensor<5xf16>
  return
}
// -----
func.func @f(%a: vector<4xf32>) {
  // expected-error@+1 {{requires the same shape for all operands and results}}
  %0 = arith.extf %a : vector<4xf32> to vector<[4]xf64>
  return
}
// -----
func.func @f(%a: tensor<4xf32, "e">) {
  // expected-error@+1 {{operand type 'tensor<4xf32, "e">' and result type 'tensor<4xf64>' are cast incompatible}}
  %0 = arith.extf %a : tensor<4xf32, "e"> to tensor<4xf64>
  return
}
// -----
func.func @f(%a: memref<4xi32>) {
  // expected-error@+1 {{operand type 'memref<4xi32>' and result type 'memref<4xi64>' are cast incompatible}}
  %0 = arith.index_castui %a : memref<4xi32> to memref<4xi64>
  return
}

// -----

func.func @f(%a: bf16, %s: vector<8xf64>) {
  // expected-error@+1 {{'arith.scaling_extf' op operand types 'bf16', 'vector<8xf64>' and result type 'vector<8xf64>' are cast incompatible}}
  %0 = "arith.scaling_extf"(%a, %s) <{fastmath = #arith.fastmath<none>}> : (bf16, vector<8xf64>) -> vector<8xf64>
  return
}
