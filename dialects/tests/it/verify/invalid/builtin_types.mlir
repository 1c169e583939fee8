// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// What the builtin types, resources and unknown operations must not be.

// expected-error@+1 {{VectorElementTypeInterface instance}}
"t.a"() : () -> vector<4x!foreign.t>
// -----
// expected-error@+1 {{invalid memref element type}}
"t.a"() : () -> memref<4x!foreign.t>
// -----
// expected-error@+1 {{invalid tensor element type}}
"t.a"() : () -> tensor<4xtuple<i32>>
// -----
// expected-error@+1 {{unsupported memory space Attribute}}
"t.a"() : () -> memref<4xf32, 1.5>
// -----
// expected-error@+1 {{multiple memory spaces specified in memref type}}
"t.a"() : () -> memref<4xf32, 1, 2>
// -----
// expected-error@+1 {{`dense_resource` expected a shaped type}}
"t.a"() {a = dense_resource<key> : i32} : () -> ()
// -----
// expected-error@+1 {{found in dialect ('arith') that does not allow unknown operations}}
"arith.unheard_of"() : () -> ()
// -----
// expected-error@+1 {{empty block: expect at least a terminator}}
"t.a"() ({
^bb0:
^bb1:
}) : () -> ()
