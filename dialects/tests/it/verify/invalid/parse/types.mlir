// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Types that are cut short or cannot be.

// expected-error@+1 {{expected non-function type}}
"a.b"() : () -> (vector<?xf32>)

// -----

// expected-error@+1 {{invalid dimension}}
"a.b"() : () -> (vector<[?]xf32>)

// -----

// expected-error@+1 {{missing ']' closing scalable dimension}}
"a.b"() : () -> (vector<[2xf32>)

// -----

// expected-error@+1 {{vector types must have positive constant sizes but got 0}}
"a.b"() : () -> (vector<0xf32>)

// -----

// expected-error@+1 {{expected '>' in vector type}}
"a.b"() : () -> (vector<2xf32)

// -----

// expected-error@+1 {{expected '<' in vector type}}
"a.b"() : () -> (vector 2xf32>)

// -----

// expected-error@+1 {{failed to verify 'elementType': VectorElementTypeInterface instance}}
"a.b"() : () -> (vector<2x() -> ()>)

// -----

// expected-error@+1 {{expected 'x' in dimension list}}
"a.b"() : () -> (memref<2>)

// -----

// expected-error@+1 {{expected '<' in memref type}}
"a.b"() : () -> (memref 2xf32>)

// -----

// expected-error@+1 {{expected ',' or '>'}}
"a.b"() : () -> (memref<2xf32, 1 2>)

// -----

// expected-error@+1 {{expected ',' or '>' in memref type}}
"a.b"() : () -> (memref<2xf32 2>)

// -----

// expected-error@+1 {{expected list element}}
"a.b"() : () -> (memref<2xf32,>)

// -----

// expected-error@+1 {{multiple memory spaces specified in memref type}}
"a.b"() : () -> (memref<2xf32, 3, 4>)

// -----

// expected-error@+1 {{cannot have affine map for unranked memref type}}
"a.b"() : () -> (memref<*xf32, strided<[1]>>)

// -----

// expected-error@+1 {{expected memory space to be last in memref type}}
"a.b"() : () -> (memref<2xf32, "a", affine_map<(d0)->(d0)>>)

// -----

// expected-error@+1 {{memref layout mismatch between rank and affine map: 1 != 2}}
"a.b"() : () -> (memref<2xf32, affine_map<(d0,d1)->(d0)>>)

// -----

// expected-error@+1 {{expected the number of strides to match the rank}}
"a.b"() : () -> (memref<2xf32, strided<[1,2]>>)

// -----

// expected-error@+1 {{invalid dimension}}
"a.b"() : () -> (memref<99999999999999999999xf32>)

// -----

// expected-error@+1 {{cannot apply encoding to unranked tensor}}
"a.b"() : () -> (tensor<*xf32, 1>)

// -----

// expected-error@+1 {{invalid tensor element type}}
"a.b"() : () -> (tensor<4x() -> ()>)

// -----

// expected-error@+1 {{expected '<' in tensor type}}
"a.b"() : () -> (tensor 4xi8>)

// -----

// expected-error@+1 {{expected '>' in tensor type}}
"a.b"() : () -> (tensor<4xi8)

// -----

// expected-error@+1 {{invalid integer width}}
"a.b"() : () -> (i99999999999999999999)

// -----

// expected-error@+1 {{integer bitwidth is limited to 16777215 bits}}
"a.b"() : () -> (i99999999)

// -----

// expected-error@+1 {{expected non-function type}}
"a.b"() : () -> (foo)

// -----

// expected-error@+1 {{invalid element type for complex}}
"a.b"() : () -> (complex<index>)

// -----

// expected-error@+1 {{expected '>' in complex type}}
"a.b"() : () -> (complex<f32)

// -----

// expected-error@+1 {{expected '<' in complex type}}
"a.b"() : () -> (complex f32>)

// -----

// expected-error@+1 {{expected '>' in tuple type}}
"a.b"() : () -> (tuple<i32)

// -----

// expected-error@+1 {{expected '<' in tuple type}}
"a.b"() : () -> (tuple i32>)

// -----

// expected-error@+1 {{expected non-function type}}
"a.b"() : () -> (() -> foo)

// -----

// expected-error@+1 {{undefined symbol alias id 'foo'}}
"a.b"() : () -> (!foo)

// -----

// expected-error@+1 {{unbalanced '<' character in pretty dialect name}}
"a.b"() : () -> (!foo<)

// -----

// expected-error@+1 {{unbalanced '[' character in pretty dialect name}}
"a.b"() : () -> (!foo.bar<[>)

// -----

// expected-error@+1 {{expected function type}}
"a.b"() : i32

// -----

// expected-error@+1 {{expected non-function type}}
"a.b"() : (i32, ) -> ()

// -----

// expected-error@+1 {{expected ')'}}
"a.b"() : (i32) -> (f32

// -----

// expected-error@+1 {{expected '->' in function type}}
"a.b"() : (i32) f32

// -----

// expected-error@+1 {{invalid dialect namespace '""'}}
"a.b"() : () -> (!.5e-320)

// -----

// expected-error@+1 {{multiple memory spaces specified in memref type}}
func.func private @a(memref<2xi8, #a.layout, 1>)

// -----

// expected-error@+1 {{unsupported memory space Attribute}}
func.func private @a(memref<2xi8, affine_map<(d0) -> (d0)>, i8>)

// -----

// expected-error@+1 {{undefined symbol alias id 't'}}
func.func private @f(!llvm.struct<(!t, i32)>)
