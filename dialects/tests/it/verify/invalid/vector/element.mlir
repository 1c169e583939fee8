// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @extract_elements(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.extract' op failed to verify that operand and result have same element type}}
  %0 = vector.extract %v[0] : f64 from vector<4xf32>
  return
}

// -----

func.func @extract_point(%v: vector<4xf32>) {
  // expected-error@+1 {{expected a scalar instead of a 0-d vector as the result type}}
  %0 = vector.extract %v[0] : vector<f32> from vector<4xf32>
  return
}

// -----

func.func @extract_rank(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.extract' op expected position attribute of rank no greater than vector rank}}
  %0 = vector.extract %v[0, 0] : f32 from vector<4xf32>
  return
}

// -----

func.func @extract_range(%v: vector<4x8xf32>) {
  // expected-error@+1 {{'vector.extract' op expected position attribute #2 to be a non-negative integer smaller than the corresponding vector dimension or poison (-1)}}
  %0 = vector.extract %v[3, 8] : f32 from vector<4x8xf32>
  return
}

// -----

func.func @extract_negative(%v: vector<4x8xf32>) {
  // expected-error@+1 {{'vector.extract' op expected position attribute #1 to be a non-negative integer smaller than the corresponding vector dimension or poison (-1)}}
  %0 = vector.extract %v[-2, 0] : f32 from vector<4x8xf32>
  return
}

// -----

func.func @extract_holes(%v: vector<4x8xf32>) {
  // expected-error@+1 {{'vector.extract' op mismatch between dynamic and static positions (kDynamic marker but no corresponding dynamic position)}}
  %0 = "vector.extract"(%v) <{static_position = array<i64: -9223372036854775808>}> : (vector<4x8xf32>) -> vector<8xf32>
  return
}

// -----

func.func @insert_elements(%v: vector<4xf32>, %f: f64) {
  // expected-error@+1 {{'vector.insert' op failed to verify that source operand and result have same element type}}
  %0 = vector.insert %f, %v[0] : f64 into vector<4xf32>
  return
}

// -----

func.func @insert_result(%v: vector<4xf32>, %f: f32) {
  // expected-error@+1 {{'vector.insert' op failed to verify that all of {dest, result} have same type}}
  %0 = "vector.insert"(%f, %v) <{static_position = array<i64: 0>}> : (f32, vector<4xf32>) -> vector<5xf32>
  return
}

// -----

func.func @insert_point(%v: vector<4xf32>, %p: vector<f32>) {
  // expected-error@+1 {{expected a scalar instead of a 0-d vector as the source operand}}
  %0 = vector.insert %p, %v[0] : vector<f32> into vector<4xf32>
  return
}

// -----

func.func @insert_rank(%v: vector<4xf32>, %f: f32) {
  // expected-error@+1 {{'vector.insert' op expected position attribute of rank no greater than dest vector rank}}
  %0 = vector.insert %f, %v[0, 0] : f32 into vector<4xf32>
  return
}

// -----

func.func @insert_vector_rank(%v: vector<4x8xf32>, %w: vector<8xf32>) {
  // expected-error@+1 {{'vector.insert' op expected position attribute rank + source rank to match dest vector rank}}
  %0 = vector.insert %w, %v[0, 0] : vector<8xf32> into vector<4x8xf32>
  return
}

// -----

func.func @insert_scalar_rank(%v: vector<4x8xf32>, %f: f32) {
  // expected-error@+1 {{'vector.insert' op expected position attribute rank to match the dest vector rank}}
  %0 = vector.insert %f, %v[0] : f32 into vector<4x8xf32>
  return
}

// -----

func.func @insert_range(%v: vector<4x8xf32>, %f: f32) {
  // expected-error@+1 {{'vector.insert' op expected position attribute #1 to be a non-negative integer smaller than the corresponding dest vector dimension}}
  %0 = vector.insert %f, %v[4, 0] : f32 into vector<4x8xf32>
  return
}

// -----

func.func @from_count(%f: f32) {
  // expected-error@+1 {{'vector.from_elements' op failed to verify that shaped type 'dest' matches 'elements' element count and types}}
  %0 = "vector.from_elements"(%f, %f) : (f32, f32) -> vector<3xf32>
  return
}

// -----

func.func @from_types(%f: f32, %g: f64) {
  // expected-error@+1 {{'vector.from_elements' op failed to verify that shaped type 'dest' matches 'elements' element count and types}}
  %0 = "vector.from_elements"(%f, %g) : (f32, f64) -> vector<2xf32>
  return
}

// -----

func.func @from_scalable(%f: f32) {
  // expected-error@+1 {{must be fixed-length vector of any type values, but got 'vector<[2]xf32>'}}
  %0 = vector.from_elements %f, %f : vector<[2]xf32>
  return
}

// -----

func.func @to_count(%v: vector<2xf32>) {
  // expected-error@+1 {{'vector.to_elements' op failed to verify that shaped type 'source' matches 'elements' element count and types}}
  %0 = "vector.to_elements"(%v) : (vector<2xf32>) -> f32
  return
}

// -----

func.func @to_types(%v: vector<1xf32>) {
  // expected-error@+1 {{'vector.to_elements' op failed to verify that shaped type 'source' matches 'elements' element count and types}}
  %0 = "vector.to_elements"(%v) : (vector<1xf32>) -> f64
  return
}

// -----

func.func @extract_part(%v: vector<4x8xf32>) {
  // expected-error@+2 {{'vector.extract' op failed to infer returned types}}
  // expected-error@+1 {{'vector.extract' op inferred type(s) 'vector<8xf32>' are incompatible with return type(s) of operation 'vector<2xf32>'}}
  %0 = vector.extract %v[0] : vector<2xf32> from vector<4x8xf32>
  return
}

// -----

func.func @from_scalable(%f: f32) {
  // expected-error@+1 {{custom op 'vector.from_elements' 'dest' must be fixed-length vector of any type values, but got 'vector<[2]xf32>'}}
  %0 = vector.from_elements %f, %f : vector<[2]xf32>
  return
}

// -----

func.func @from_too_few(%f: f32) {
  // expected-error@+1 {{custom op 'vector.from_elements' number of operands and types do not match: got 2 operands and 4 types}}
  %0 = vector.from_elements %f, %f : vector<4xf32>
  return
}
