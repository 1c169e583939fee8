// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @extract_elements(%v: vector<4x8xf32>) {
  // expected-error@+1 {{'vector.extract_strided_slice' op failed to verify that operand and result have same element type}}
  %0 = vector.extract_strided_slice %v {offsets = [0], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<2x8xf64>
  return
}

// -----

func.func @extract_lists(%v: vector<4x8xf32>) {
  // expected-error@+1 {{'vector.extract_strided_slice' op expected offsets, sizes and strides attributes of same size}}
  %0 = vector.extract_strided_slice %v {offsets = [0], sizes = [2, 2], strides = [1]} : vector<4x8xf32> to vector<2x8xf32>
  return
}

// -----

func.func @extract_rank(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.extract_strided_slice' op expected offsets attribute of rank no greater than vector rank}}
  %0 = vector.extract_strided_slice %v {offsets = [0, 0], sizes = [2, 2], strides = [1, 1]} : vector<4xf32> to vector<2x2xf32>
  return
}

// -----

func.func @extract_offset(%v: vector<4x8xf32>) {
  // expected-error@+1 {{'vector.extract_strided_slice' op expected offsets dimension 0 to be confined to [0, 4)}}
  %0 = vector.extract_strided_slice %v {offsets = [4], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<2x8xf32>
  return
}

// -----

func.func @extract_size(%v: vector<4x8xf32>) {
  // expected-error@+1 {{'vector.extract_strided_slice' op expected sizes dimension 0 to be confined to [1, 5)}}
  %0 = vector.extract_strided_slice %v {offsets = [0], sizes = [5], strides = [1]} : vector<4x8xf32> to vector<5x8xf32>
  return
}

// -----

func.func @extract_stride(%v: vector<4x8xf32>) {
  // expected-error@+1 {{'vector.extract_strided_slice' op expected strides to be confined to [1, 2)}}
  %0 = vector.extract_strided_slice %v {offsets = [0], sizes = [2], strides = [2]} : vector<4x8xf32> to vector<2x8xf32>
  return
}

// -----

func.func @extract_end(%v: vector<4x8xf32>) {
  // expected-error@+1 {{'vector.extract_strided_slice' op expected sum(offsets, sizes) dimension 0 to be confined to [1, 5)}}
  %0 = vector.extract_strided_slice %v {offsets = [3], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<2x8xf32>
  return
}

// -----

func.func @extract_result(%v: vector<4x8xf32>) {
  // expected-error@+1 {{'vector.extract_strided_slice' op expected result type to be 'vector<2x8xf32>'}}
  %0 = vector.extract_strided_slice %v {offsets = [1], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<3x8xf32>
  return
}

// -----

func.func @extract_scalable(%v: vector<4x[8]xf32>) {
  // expected-error@+1 {{'vector.extract_strided_slice' op expected size at idx=1 to match the corresponding base size from the input vector (4 vs 8)}}
  %0 = vector.extract_strided_slice %v {offsets = [1, 0], sizes = [2, 4], strides = [1, 1]} : vector<4x[8]xf32> to vector<2x[4]xf32>
  return
}

// -----

func.func @extract_numbers(%v: vector<4xf32>) {
  // expected-error@+1 {{attribute 'offsets' failed to satisfy constraint: 64-bit integer array attribute}}
  %0 = vector.extract_strided_slice %v {offsets = [0 : i32], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
  return
}

// -----

func.func @insert_elements(%v: vector<4xf32>, %w: vector<2xf64>) {
  // expected-error@+1 {{'vector.insert_strided_slice' op failed to verify that operand #0 and result have same element type}}
  %0 = vector.insert_strided_slice %w, %v {offsets = [0], strides = [1]} : vector<2xf64> into vector<4xf32>
  return
}

// -----

func.func @insert_result(%v: vector<4xf32>, %w: vector<2xf32>) {
  // expected-error@+1 {{'vector.insert_strided_slice' op failed to verify that all of {dest, result} have same type}}
  %0 = "vector.insert_strided_slice"(%w, %v) <{offsets = [0], strides = [1]}> : (vector<2xf32>, vector<4xf32>) -> vector<5xf32>
  return
}

// -----

func.func @insert_offsets(%v: vector<4x8xf32>, %w: vector<2xf32>) {
  // expected-error@+1 {{'vector.insert_strided_slice' op expected offsets of same size as destination vector rank}}
  %0 = vector.insert_strided_slice %w, %v {offsets = [0], strides = [1]} : vector<2xf32> into vector<4x8xf32>
  return
}

// -----

func.func @insert_strides(%v: vector<4x8xf32>, %w: vector<2xf32>) {
  // expected-error@+1 {{'vector.insert_strided_slice' op expected strides of same size as source vector rank}}
  %0 = vector.insert_strided_slice %w, %v {offsets = [0, 0], strides = [1, 1]} : vector<2xf32> into vector<4x8xf32>
  return
}

// -----

func.func @insert_rank(%v: vector<4xf32>, %w: vector<1x2xf32>) {
  // expected-error@+1 {{'vector.insert_strided_slice' op expected source rank to be no greater than destination rank}}
  %0 = vector.insert_strided_slice %w, %v {offsets = [0], strides = [1, 1]} : vector<1x2xf32> into vector<4xf32>
  return
}

// -----

func.func @insert_offset(%v: vector<4xf32>, %w: vector<2xf32>) {
  // expected-error@+1 {{'vector.insert_strided_slice' op expected offsets dimension 0 to be confined to [0, 4)}}
  %0 = vector.insert_strided_slice %w, %v {offsets = [-1], strides = [1]} : vector<2xf32> into vector<4xf32>
  return
}

// -----

func.func @insert_stride(%v: vector<4xf32>, %w: vector<2xf32>) {
  // expected-error@+1 {{'vector.insert_strided_slice' op expected strides to be confined to [1, 2)}}
  %0 = vector.insert_strided_slice %w, %v {offsets = [0], strides = [0]} : vector<2xf32> into vector<4xf32>
  return
}

// -----

func.func @insert_end(%v: vector<4x4xf32>, %w: vector<2xf32>) {
  // expected-error@+1 {{'vector.insert_strided_slice' op expected sum(offsets, source vector shape) dimension 1 to be confined to [1, 5)}}
  %0 = vector.insert_strided_slice %w, %v {offsets = [0, 3], strides = [1]} : vector<2xf32> into vector<4x4xf32>
  return
}

// -----

func.func @insert_flags(%v: vector<4x[4]xf32>, %w: vector<4xf32>) {
  // expected-error@+1 {{'vector.insert_strided_slice' op mismatching scalable flags (at source vector idx=0)}}
  %0 = vector.insert_strided_slice %w, %v {offsets = [0, 0], strides = [1]} : vector<4xf32> into vector<4x[4]xf32>
  return
}

// -----

func.func @insert_scalable(%v: vector<4x[4]xf32>, %w: vector<[2]xf32>) {
  // expected-error@+1 {{'vector.insert_strided_slice' op expected size at idx=0 to match the corresponding base size from the input vector (2 vs 4)}}
  %0 = vector.insert_strided_slice %w, %v {offsets = [0, 0], strides = [1]} : vector<[2]xf32> into vector<4x[4]xf32>
  return
}

// -----

func.func @part_elements(%v: vector<[4]xf32>) {
  // expected-error@+1 {{'vector.scalable.extract' op failed to verify that all of {source, result} have same element type}}
  %0 = vector.scalable.extract %v[0] : vector<4xi32> from vector<[4]xf32>
  return
}

// -----

func.func @part_position(%v: vector<[16]xf32>) {
  // expected-error@+1 {{'vector.scalable.extract' op failed to verify that position is a multiple of the result length.}}
  %0 = vector.scalable.extract %v[5] : vector<4xf32> from vector<[16]xf32>
  return
}

// -----

func.func @part_of_fixed(%v: vector<16xf32>) {
  // expected-error@+1 {{'vector.scalable.extract' op operand #0 must be  of ranks 1, but got 'vector<16xf32>'}}
  %0 = vector.scalable.extract %v[0] : vector<4xf32> from vector<16xf32>
  return
}

// -----

func.func @part_into_elements(%v: vector<[4]xf32>, %w: vector<4xi32>) {
  // expected-error@+1 {{'vector.scalable.insert' op failed to verify that all of {valueToStore, dest} have same element type}}
  %0 = vector.scalable.insert %w, %v[0] : vector<4xi32> into vector<[4]xf32>
  return
}

// -----

func.func @part_into_position(%v: vector<[16]xf32>, %w: vector<4xf32>) {
  // expected-error@+1 {{'vector.scalable.insert' op failed to verify that position is a multiple of the source length.}}
  %0 = vector.scalable.insert %w, %v[2] : vector<4xf32> into vector<[16]xf32>
  return
}

// -----

func.func @part_into_result(%v: vector<[16]xf32>, %w: vector<4xf32>) {
  // expected-error@+1 {{'vector.scalable.insert' op failed to verify that all of {dest, result} have same type}}
  %0 = "vector.scalable.insert"(%w, %v) <{pos = 0 : i64}> : (vector<4xf32>, vector<[16]xf32>) -> vector<[8]xf32>
  return
}

// -----

func.func @part_of_rank(%v: vector<[16]xf32>, %w: vector<1x4xf32>) {
  // expected-error@+1 {{'vector.scalable.insert' op operand #0 must be  of ranks 1, but got 'vector<1x4xf32>'}}
  %0 = vector.scalable.insert %w, %v[0] : vector<1x4xf32> into vector<[16]xf32>
  return
}
