// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @elements(%a: vector<4xf32>, %b: vector<4xf64>, %c: f32) {
  // expected-error@+1 {{'vector.contract' op failed to verify that lhs and rhs have same element type}}
  %0 = vector.contract {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>],
    iterator_types = ["reduction"]
  } %a, %b, %c : vector<4xf32>, vector<4xf64> into f32
  return
}

// -----

func.func @accumulator(%a: vector<4xf32>, %c: f64) {
  // expected-error@+1 {{'vector.contract' op failed to verify that third operand acc and result have same element type}}
  %0 = "vector.contract"(%a, %a, %c) <{
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>],
    iterator_types = [#vector.iterator_type<reduction>]
  }> : (vector<4xf32>, vector<4xf32>, f64) -> f32
  return
}

// -----

func.func @signed(%a: vector<4xsi32>, %c: si32) {
  // expected-error@+1 {{'vector.contract' op only supports signless integer types}}
  %0 = vector.contract {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>],
    iterator_types = ["reduction"]
  } %a, %a, %c : vector<4xsi32>, vector<4xsi32> into si32
  return
}

// -----

func.func @two_maps(%a: vector<4xf32>, %c: f32) {
  // expected-error@+1 {{'vector.contract' op expected an indexing map for each vector operand}}
  %0 = vector.contract {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
    iterator_types = ["reduction"]
  } %a, %a, %c : vector<4xf32>, vector<4xf32> into f32
  return
}

// -----

func.func @symbols(%a: vector<4xf32>, %c: f32) {
  // expected-error@+1 {{'vector.contract' op expected indexing map 1 to have no symbols}}
  %0 = vector.contract {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0)[s0] -> (d0)>, affine_map<(d0) -> ()>],
    iterator_types = ["reduction"]
  } %a, %a, %c : vector<4xf32>, vector<4xf32> into f32
  return
}

// -----

func.func @inputs(%a: vector<4xf32>, %c: f32) {
  // expected-error@+1 {{'vector.contract' op expected indexing map 0 to have 2 number of inputs}}
  %0 = vector.contract {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> ()>],
    iterator_types = ["reduction", "parallel"]
  } %a, %a, %c : vector<4xf32>, vector<4xf32> into f32
  return
}

// -----

func.func @outputs(%a: vector<4xf32>, %c: f32) {
  // expected-error@+1 {{'vector.contract' op expected indexing map 2 to have 0 number of outputs}}
  %0 = vector.contract {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
    iterator_types = ["reduction"]
  } %a, %a, %c : vector<4xf32>, vector<4xf32> into f32
  return
}

// -----

func.func @projection(%a: vector<4xf32>, %c: f32) {
  // expected-error@+1 {{'vector.contract' op expected indexing map 1 to be a projected permutation of its inputs}}
  %0 = vector.contract {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0 + 1)>, affine_map<(d0) -> ()>],
    iterator_types = ["reduction"]
  } %a, %a, %c : vector<4xf32>, vector<4xf32> into f32
  return
}

// -----

func.func @nothing_contracted(%a: vector<4xf32>, %c: vector<4xf32>) {
  // expected-error@+1 {{'vector.contract' op expected at least one contracting dimension pair}}
  %0 = vector.contract {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]
  } %a, %a, %c : vector<4xf32>, vector<4xf32> into vector<4xf32>
  return
}

// -----

func.func @contracting(%a: vector<4xf32>, %b: vector<5xf32>, %c: f32) {
  // expected-error@+1 {{'vector.contract' op invalid contracting dimension map}}
  %0 = vector.contract {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>],
    iterator_types = ["reduction"]
  } %a, %b, %c : vector<4xf32>, vector<5xf32> into f32
  return
}

// -----

func.func @batch(%a: vector<2x4xf32>, %b: vector<3x4xf32>, %c: vector<2xf32>) {
  // expected-error@+1 {{'vector.contract' op invalid batch dimension map}}
  %0 = vector.contract {
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
    iterator_types = ["parallel", "reduction"]
  } %a, %b, %c : vector<2x4xf32>, vector<3x4xf32> into vector<2xf32>
  return
}

// -----

func.func @scalar_wanted(%a: vector<4xf32>, %c: vector<1xf32>) {
  // expected-error@+1 {{'vector.contract' op invalid accumulator/result vector shape}}
  %0 = vector.contract {
    indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>],
    iterator_types = ["reduction", "parallel"]
  } %a, %a, %c : vector<4xf32>, vector<4xf32> into vector<1xf32>
  return
}

// -----

func.func @vector_wanted(%a: vector<2x4xf32>, %b: vector<4xf32>, %c: f32) {
  // expected-error@+1 {{'vector.contract' op invalid accumulator/result vector shape}}
  %0 = vector.contract {
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> ()>],
    iterator_types = ["parallel", "reduction"]
  } %a, %b, %c : vector<2x4xf32>, vector<4xf32> into f32
  return
}

// -----

func.func @unknown_extent(%a: vector<2x4xf32>, %b: vector<4xf32>, %c: vector<2xf32>) {
  // expected-error@+1 {{'vector.contract' op expected all dimensions to be either a LHS or a RHS dimension}}
  %0 = vector.contract {
    indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d1)>, affine_map<(d0, d1, d2) -> (d2)>],
    iterator_types = ["parallel", "reduction", "parallel"]
  } %a, %b, %c : vector<2x4xf32>, vector<4xf32> into vector<2xf32>
  return
}

// -----

func.func @shape(%a: vector<2x4xf32>, %b: vector<4xf32>, %c: vector<3xf32>) {
  // expected-error@+1 {{'vector.contract' op invalid accumulator/result vector shape, expected: 'vector<2xf32>'}}
  %0 = vector.contract {
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>],
    iterator_types = ["parallel", "reduction"]
  } %a, %b, %c : vector<2x4xf32>, vector<4xf32> into vector<3xf32>
  return
}

// -----

func.func @kind(%a: vector<4xf32>, %c: f32) {
  // expected-error@+1 {{'vector.contract' op unsupported contraction type}}
  %0 = vector.contract {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>],
    iterator_types = ["reduction"],
    kind = #vector.kind<xor>
  } %a, %a, %c : vector<4xf32>, vector<4xf32> into f32
  return
}

// -----

func.func @unused(%a: vector<4xf32>, %c: f32) {
  // expected-error@+1 {{'vector.contract' op invalid indexing maps are non-invertible: ((d0, d1) -> (d0, d0))}}
  %0 = vector.contract {
    indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> ()>],
    iterator_types = ["reduction", "parallel"]
  } %a, %a, %c : vector<4xf32>, vector<4xf32> into f32
  return
}

// -----

func.func @no_maps(%a: vector<4xf32>, %c: f32) {
  // expected-error@+1 {{requires attribute 'indexing_maps'}}
  %0 = vector.contract {
    iterator_types = ["reduction"]
  } %a, %a, %c : vector<4xf32>, vector<4xf32> into f32
  return
}

// -----

func.func @iterator(%a: vector<4xf32>, %c: f32) {
  // expected-error@+1 {{custom op 'vector.contract' unexpected iterator_type (window)}}
  %0 = vector.contract {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>],
    iterator_types = ["window"]
  } %a, %a, %c : vector<4xf32>, vector<4xf32> into f32
  return
}

// -----

func.func @no_iterators(%a: vector<4xf32>, %c: f32) {
  // expected-error@+1 {{custom op 'vector.contract' expected "iterator_types" array attribute}}
  %0 = vector.contract {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>]
  } %a, %a, %c : vector<4xf32>, vector<4xf32> into f32
  return
}

// -----

func.func @f(%a: vector<4xf32>, %b: f32) {
  // expected-error@+1 {{custom op 'vector.contract' invalid kind of attribute specified}}
  %r = vector.contract 3 %a, %a, %b : vector<4xf32>, vector<4xf32> into f32
  return
}
// -----
func.func @kind_given_twice(%a: vector<2xf32>, %c: f32) {
  // expected-error@+1 {{custom op 'vector.contract' attribute 'kind' occurs more than once in the attribute list}}
  %0 = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %a, %a, %c {kind = #vector.kind<mul>} : vector<2xf32>, vector<2xf32> into f32
  return
}
