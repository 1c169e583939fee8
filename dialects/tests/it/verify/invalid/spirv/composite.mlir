// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Rules of composites and constants.

func.func @f() {
  // expected-error@+1 {{result type ('i32') does not match value type ('i64')}}
  %0 = "spirv.Constant"() <{value = 1 : i64}> : () -> i32
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{must have spirv.array result type for array value}}
  %0 = spirv.Constant [1 : i32] : vector<2xi32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{only support nested array result type}}
  %0 = spirv.Constant dense<1.0> : tensor<4xf32> : !spirv.array<2 x vector<2xf32>>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{result element type ('i32') does not match value element type ('f32')}}
  %0 = spirv.Constant dense<1.0> : tensor<2xf32> : !spirv.array<2 x i32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{result number of elements (2) does not match value number of elements (3)}}
  %0 = spirv.Constant dense<1> : tensor<3xi32> : !spirv.array<2 x i32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{result or element type ('vector<2xi32>') does not match value type ('vector<4xi32>'), must be the same or spirv.array}}
  %0 = "spirv.Constant"() <{value = dense<1> : vector<4xi32>}> : () -> vector<2xi32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{cannot have attribute:}}
  %0 = "spirv.Constant"() <{value = "text"}> : () -> i32
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected a splat dense attribute for cooperative matrix constant, but found dense<}}
  %0 = "spirv.Constant"() <{value = dense<[[1.0, 2.0], [1.0, 3.0]]> : tensor<2x2xf32>}> : () -> !spirv.coopmatrix<2x2xf32, Subgroup, MatrixA>
  return
}

// -----

func.func @f(%a: f32) {
  // expected-error@+1 {{has incorrect number of operands: expected 1, but provided 2}}
  %0 = spirv.CompositeConstruct %a, %a : (f32, f32) -> !spirv.coopmatrix<4x4xf32, Subgroup, MatrixA>
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{operand type mismatch: expected operand type 'f32', but provided 'i32'}}
  %0 = spirv.CompositeConstruct %a : (i32) -> !spirv.coopmatrix<4x4xf32, Subgroup, MatrixA>
  return
}

// -----

func.func @f(%a: f32, %b: i32) {
  // expected-error@+1 {{operand type mismatch: expected operand type 'i32', but provided 'f32'}}
  %0 = spirv.CompositeConstruct %b, %a : (i32, f32) -> !spirv.struct<(i32, i32)>
  return
}

// -----

func.func @f(%a: f32) {
  // expected-error@+1 {{expected to return a vector or cooperative matrix when the number of constituents is less than what the result needs}}
  %0 = spirv.CompositeConstruct %a : (f32) -> !spirv.array<2 x f32>
  return
}

// -----

func.func @f(%a: vector<2xf32>, %b: f64) {
  // expected-error@+1 {{operand element type mismatch: expected to be 'f32', but provided 'f64'}}
  %0 = spirv.CompositeConstruct %a, %b : (vector<2xf32>, f64) -> vector<3xf32>
  return
}

// -----

func.func @f(%a: vector<2xf32>) {
  // expected-error@+1 {{has incorrect number of operands: expected 3, but provided 4}}
  %0 = spirv.CompositeConstruct %a, %a : (vector<2xf32>, vector<2xf32>) -> vector<3xf32>
  return
}

// -----

func.func @f(%a: vector<2xf32>, %b: !spirv.ptr<f32, Function>) {
  // expected-error@+1 {{operand type mismatch: expected operand to have a scalar or vector type, but provided '!spirv.ptr<f32, Function>'}}
  %0 = spirv.CompositeConstruct %a, %b : (vector<2xf32>, !spirv.ptr<f32, Function>) -> vector<3xf32>
  return
}

// -----

func.func @f(%s: !spirv.struct<(f32, !spirv.array<4 x i32>)>) {
  // expected-error@+1 {{index 2 out of bounds for '!spirv.struct<(f32, !spirv.array<4 x i32>)>'}}
  %0 = spirv.CompositeExtract %s[2 : i32] : !spirv.struct<(f32, !spirv.array<4 x i32>)>
  return
}

// -----

func.func @f(%s: !spirv.struct<(f32, !spirv.array<4 x i32>)>) {
  // expected-error@+1 {{cannot extract from non-composite type 'f32' with index 1}}
  %0 = spirv.CompositeExtract %s[0 : i32, 1 : i32] : !spirv.struct<(f32, !spirv.array<4 x i32>)>
  return
}

// -----

func.func @f(%s: !spirv.struct<(f32, !spirv.array<4 x i32>)>) {
  // expected-error@+1 {{expected at least one index for spirv.CompositeExtract}}
  %0 = spirv.CompositeExtract %s[] : !spirv.struct<(f32, !spirv.array<4 x i32>)>
  return
}

// -----

func.func @f(%s: !spirv.struct<(f32, !spirv.array<4 x i32>)>) {
  // expected-error@+1 {{invalid result type: expected 'f32' but provided 'i32'}}
  %0 = "spirv.CompositeExtract"(%s) <{indices = [0 : i32]}> : (!spirv.struct<(f32, !spirv.array<4 x i32>)>) -> i32
  return
}

// -----

func.func @f(%s: !spirv.struct<(f32, !spirv.array<4 x i32>)>, %i: i32) {
  // expected-error@+1 {{object operand type should be 'f32', but found 'i32'}}
  %0 = spirv.CompositeInsert %i, %s[0 : i32] : i32 into !spirv.struct<(f32, !spirv.array<4 x i32>)>
  return
}

// -----

func.func @f(%s: !spirv.struct<(f32, !spirv.array<4 x i32>)>, %f: f32) {
  // expected-error@+1 {{result type should be the same as the composite type, but found '!spirv.struct<(f32, !spirv.array<4 x i32>)>' vs '!spirv.array<2 x i32>'}}
  %0 = "spirv.CompositeInsert"(%f, %s) <{indices = [0 : i32]}> : (f32, !spirv.struct<(f32, !spirv.array<4 x i32>)>) -> !spirv.array<2 x i32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{result type element count (3) mismatch with the number of component selectors (2)}}
  %0 = spirv.VectorShuffle [1 : i32, 2 : i32] %v, %v : vector<4xf32>, vector<4xf32> -> vector<3xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{component selector 8 out of range: expected to be in [0, 8) or 0xffffffff}}
  %0 = spirv.VectorShuffle [1 : i32, 8 : i32] %v, %v : vector<4xf32>, vector<4xf32> -> vector<2xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %w: vector<2xi32>) {
  // expected-error@+1 {{failed to verify that all of {vector1, vector2, result} have same element type}}
  %0 = spirv.VectorShuffle [1 : i32, 2 : i32] %v, %w : vector<4xf32>, vector<2xi32> -> vector<2xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>, %i: i32) {
  // expected-error@+1 {{type of 'result' matches element type of 'vector'}}
  %0 = "spirv.VectorExtractDynamic"(%v, %i) : (vector<4xf32>, i32) -> i32
  return
}

// -----

func.func @f(%v: vector<4xf32>, %i: i32) {
  // expected-error@+1 {{type of 'component' matches element type of 'vector'}}
  %0 = "spirv.VectorInsertDynamic"(%v, %i, %i) : (vector<4xf32>, i32, i32) -> vector<4xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected value attribute type 'i32', but got: 'f32'}}
  %0 = spirv.EXT.ConstantCompositeReplicate [1.0 : f32] : vector<2xi32>
  return
}

// -----

func.func @f(%a: vector<2x1xi1>) {
  // expected-error@+1 {{cannot extract from non-composite type 'vector<2x1xi1>' with index 0}}
  %0 = "spirv.CompositeExtract"(%a) <{indices = [0 : i32]}> : (vector<2x1xi1>) -> i1
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected value attribute type '!spirv.array<2 x i32>' or 'i32', but got: 'tensor<2xi32>'}}
  %0 = spirv.EXT.ConstantCompositeReplicate [dense<1> : tensor<2xi32>] : !spirv.array<3 x !spirv.array<2 x i32>>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{unknown value attribute type}}
  %0 = spirv.EXT.ConstantCompositeReplicate [unit] : vector<2xi32>
  return
}
