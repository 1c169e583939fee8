// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @elements(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.reduction' op failed to verify that source operand and result have same element type}}
  %0 = vector.reduction <add>, %v : vector<4xf32> into f64
  return
}

// -----

func.func @accumulator(%v: vector<4xf32>, %a: f64) {
  // expected-error@+1 {{'vector.reduction' op failed to verify that dest and acc have the same type}}
  %0 = "vector.reduction"(%v, %a) <{kind = #vector.kind<add>}> : (vector<4xf32>, f64) -> f32
  return
}

// -----

func.func @rank(%v: vector<4x4xf32>) {
  // expected-error@+1 {{'vector.reduction' op unsupported reduction rank: 2}}
  %0 = vector.reduction <add>, %v : vector<4x4xf32> into f32
  return
}

// -----

func.func @float_by_bits(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.reduction' op unsupported reduction type ''f32'' for kind 'and'}}
  %0 = vector.reduction <and>, %v : vector<4xf32> into f32
  return
}

// -----

func.func @integer_by_float(%v: vector<4xi32>) {
  // expected-error@+1 {{'vector.reduction' op unsupported reduction type ''i32'' for kind 'minimumf'}}
  %0 = vector.reduction <minimumf>, %v : vector<4xi32> into i32
  return
}

// -----

func.func @several_accumulators(%v: vector<4x8xf32>, %a: f32) {
  // expected-error@+1 {{'vector.multi_reduction' op failed to verify that all of {dest, acc} have same type}}
  %0 = "vector.multi_reduction"(%v, %a) <{kind = #vector.kind<add>, reduction_dims = array<i64: 0>}> : (vector<4x8xf32>, f32) -> vector<8xf32>
  return
}

// -----

func.func @several_elements(%v: vector<4x8xf32>, %a: vector<8xf64>) {
  // expected-error@+1 {{'vector.multi_reduction' op failed to verify that source operand and result have same element type}}
  %0 = vector.multi_reduction <add>, %v, %a [0] : vector<4x8xf32> to vector<8xf64>
  return
}

// -----

func.func @several_shape(%v: vector<4x8xf32>, %a: vector<4xf32>) {
  // expected-error@+1 {{'vector.multi_reduction' op destination type 'vector<4xf32>' is incompatible with source type 'vector<4x8xf32>'}}
  %0 = vector.multi_reduction <add>, %v, %a [0] : vector<4x8xf32> to vector<4xf32>
  return
}

// -----

func.func @scan_dim(%v: vector<4x8xf32>, %a: vector<4xf32>) {
  // expected-error@+1 {{'vector.scan' op reduction dimension 2 has to be less than 2}}
  %0:2 = vector.scan <add>, %v, %a {inclusive = true, reduction_dim = 2 : i64} : vector<4x8xf32>, vector<4xf32>
  return
}

// -----

func.func @scan_rank(%v: vector<4x8xf32>, %a: vector<f32>) {
  // expected-error@+1 {{'vector.scan' op initial value rank 0 has to be equal to 1}}
  %0:2 = vector.scan <add>, %v, %a {inclusive = true, reduction_dim = 0 : i64} : vector<4x8xf32>, vector<f32>
  return
}

// -----

func.func @scan_shape(%v: vector<4x8xf32>, %a: vector<4xf32>) {
  // expected-error@+1 {{'vector.scan' op incompatible input/initial value shapes}}
  %0:2 = vector.scan <add>, %v, %a {inclusive = true, reduction_dim = 0 : i64} : vector<4x8xf32>, vector<4xf32>
  return
}

// -----

func.func @scan_kind(%v: vector<4xf32>, %a: vector<f32>) {
  // expected-error@+1 {{'vector.scan' op unsupported reduction type 'f32' for kind 'xor'}}
  %0:2 = vector.scan <xor>, %v, %a {inclusive = true, reduction_dim = 0 : i64} : vector<4xf32>, vector<f32>
  return
}

// -----

func.func @scan_results(%v: vector<4xf32>, %a: vector<f32>) {
  // expected-error@+1 {{'vector.scan' op failed to verify that all of {source, dest} have same type}}
  %0:2 = "vector.scan"(%v, %a) <{inclusive = true, kind = #vector.kind<add>, reduction_dim = 0 : i64}> : (vector<4xf32>, vector<f32>) -> (vector<3xf32>, vector<f32>)
  return
}

// -----

func.func @scan_values(%v: vector<4xf32>, %a: vector<f32>) {
  // expected-error@+1 {{'vector.scan' op failed to verify that all of {initial_value, accumulated_value} have same type}}
  %0:2 = "vector.scan"(%v, %a) <{inclusive = true, kind = #vector.kind<add>, reduction_dim = 0 : i64}> : (vector<4xf32>, vector<f32>) -> (vector<4xf32>, vector<f64>)
  return
}
