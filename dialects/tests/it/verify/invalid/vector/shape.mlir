// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @broadcast_elements(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.broadcast' op failed to verify that source operand and result have same element type}}
  %0 = vector.broadcast %v : vector<4xf32> to vector<2x4xf64>
  return
}

// -----

func.func @broadcast_rank(%v: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.broadcast' op source rank higher than destination rank}}
  %0 = vector.broadcast %v : vector<2x4xf32> to vector<4xf32>
  return
}

// -----

func.func @broadcast_shape(%v: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.broadcast' op dimension mismatch (2 vs. 3)}}
  %0 = vector.broadcast %v : vector<2x4xf32> to vector<3x4xf32>
  return
}

// -----

func.func @broadcast_scalable(%v: vector<[4]xf32>) {
  // expected-error@+1 {{'vector.broadcast' op dimension mismatch ([4] vs. 4)}}
  %0 = vector.broadcast %v : vector<[4]xf32> to vector<3x4xf32>
  return
}

// -----

func.func @broadcast_scalable_unit(%v: vector<[1]xf32>) {
  // expected-error@+1 {{'vector.broadcast' op dimension mismatch ([1] vs. [4])}}
  %0 = vector.broadcast %v : vector<[1]xf32> to vector<[4]xf32>
  return
}

// -----

func.func @broadcast_tensor(%t: tensor<4xf32>) {
  // expected-error@+1 {{'vector.broadcast' op source type is not a vector}}
  %0 = vector.broadcast %t : tensor<4xf32> to vector<4xf32>
  return
}

// -----

func.func @bitcast_rank(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.bitcast' op failed to verify that all of {source, result} have same rank}}
  %0 = vector.bitcast %v : vector<4xf32> to vector<1x4xi32>
  return
}

// -----

func.func @bitcast_leading(%v: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.bitcast' op dimension size mismatch at: 0}}
  %0 = vector.bitcast %v : vector<2x4xf32> to vector<4x2xf32>
  return
}

// -----

func.func @bitcast_width(%v: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.bitcast' op source/result bitwidth of the minor 1-D vectors must be equal}}
  %0 = vector.bitcast %v : vector<2x4xf32> to vector<2x4xf16>
  return
}

// -----

func.func @bitcast_point(%v: vector<f32>) {
  // expected-error@+1 {{'vector.bitcast' op source/result bitwidth of the 0-D vector element types must be equal}}
  %0 = vector.bitcast %v : vector<f32> to vector<f16>
  return
}

// -----

func.func @cast_elements(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.shape_cast' op has different source and result element types}}
  %0 = vector.shape_cast %v : vector<4xf32> to vector<2x2xi32>
  return
}

// -----

func.func @cast_count(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.shape_cast' op has different number of elements at source (4) and result (6)}}
  %0 = vector.shape_cast %v : vector<4xf32> to vector<2x3xf32>
  return
}

// -----

func.func @cast_scalable(%v: vector<[4]xf32>) {
  // expected-error@+1 {{'vector.shape_cast' op has different number of scalable dims at source (1) and result (0)}}
  %0 = vector.shape_cast %v : vector<[4]xf32> to vector<2x2xf32>
  return
}

// -----

func.func @transpose_elements(%v: vector<2x3xf32>) {
  // expected-error@+1 {{'vector.transpose' op failed to verify that operand and result have same element type}}
  %0 = vector.transpose %v, [1, 0] : vector<2x3xf32> to vector<3x2xi32>
  return
}

// -----

func.func @transpose_rank(%v: vector<2x3xf32>) {
  // expected-error@+1 {{'vector.transpose' op vector result rank mismatch: 1}}
  %0 = vector.transpose %v, [1, 0] : vector<2x3xf32> to vector<6xf32>
  return
}

// -----

func.func @transpose_length(%v: vector<2x3xf32>) {
  // expected-error@+1 {{'vector.transpose' op transposition length mismatch: 1}}
  %0 = vector.transpose %v, [0] : vector<2x3xf32> to vector<3x2xf32>
  return
}

// -----

func.func @transpose_range(%v: vector<2x3xf32>) {
  // expected-error@+1 {{'vector.transpose' op transposition index out of range: 2}}
  %0 = vector.transpose %v, [2, 0] : vector<2x3xf32> to vector<3x2xf32>
  return
}

// -----

func.func @transpose_twice(%v: vector<3x3xf32>) {
  // expected-error@+1 {{'vector.transpose' op duplicate position index: 0}}
  %0 = vector.transpose %v, [0, 0] : vector<3x3xf32> to vector<3x3xf32>
  return
}

// -----

func.func @transpose_shape(%v: vector<2x3xf32>) {
  // expected-error@+1 {{'vector.transpose' op dimension size mismatch at: 1}}
  %0 = vector.transpose %v, [1, 0] : vector<2x3xf32> to vector<2x3xf32>
  return
}

// -----

func.func @broadcast_to_scalar(%f: f32) {
  // expected-error@+1 {{invalid kind of type specified: expected builtin.vector, but found 'f32'}}
  %0 = vector.broadcast %f : f32 to f32
  return
}

// -----

// A function that does not end is no news beside this.
func.func @unfinished(%v: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.broadcast' op source rank higher than destination rank}}
  %0 = vector.broadcast %v : vector<2x4xf32> to vector<4xf32>
}
