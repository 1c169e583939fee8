// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Elements that do not make the type they are given.

// expected-error@+1 {{expected '<' after 'dense'}}
"a.b"() {a = dense} : () -> ()

// -----

// expected-error@+1 {{expected element literal of primitive type}}
"a.b"() {a = dense<} : () -> ()

// -----

// expected-error@+1 {{expected '>'}}
"a.b"() {a = dense<1} : () -> ()

// -----

// expected-error@+1 {{expected ':'}}
"a.b"() {a = dense<1>} : () -> ()

// -----

// expected-error@+1 {{elements literal must be a shaped type}}
"a.b"() {a = dense<1> : i32} : () -> ()

// -----

// expected-error@+1 {{elements literal type must have static shape}}
"a.b"() {a = dense<1> : tensor<?xi32>} : () -> ()

// -----

// expected-error@+1 {{parsed zero elements, but type ('tensor<1xi32>') expected at least 1}}
"a.b"() {a = dense<> : tensor<1xi32>} : () -> ()

// -----

// expected-error@+1 {{inferred shape of elements literal ([2]) does not match type ([3])}}
"a.b"() {a = dense<[1, 2]> : tensor<3xi32>} : () -> ()

// -----

// expected-error@+1 {{tensor literal is invalid; ranks are not consistent between elements}}
"a.b"() {a = dense<[1, [2]]> : tensor<3xi32>} : () -> ()

// -----

// expected-error@+1 {{tensor literal is invalid; ranks are not consistent between elements}}
"a.b"() {a = dense<[[1], [2, 3]]> : tensor<3xi32>} : () -> ()

// -----

// expected-error@+1 {{expected ']'}}
"a.b"() {a = dense<[1, 2> : tensor<2xi32>} : () -> ()

// -----

// expected-error@+1 {{expected integer elements, but parsed floating-point}}
"a.b"() {a = dense<1.0> : tensor<3xi32>} : () -> ()

// -----

// expected-error@+1 {{expected i1 type for 'true' or 'false' values}}
"a.b"() {a = dense<true> : tensor<3xi32>} : () -> ()

// -----

// expected-error@+1 {{expected unsigned integer elements, but parsed negative value}}
"a.b"() {a = dense<-1> : tensor<3xui32>} : () -> ()

// -----

// expected-error@+1 {{integer constant out of range for type}}
"a.b"() {a = dense<300> : tensor<3xi8>} : () -> ()

// -----

// expected-error@+2 {{unexpected decimal integer literal for a floating point value}}
// expected-note@+1 {{add a trailing dot to make the literal a float}}
"a.b"() {a = dense<1> : tensor<3xf32>} : () -> ()

// -----

// expected-error@+1 {{hexadecimal float literal should not have a leading minus}}
"a.b"() {a = dense<-0x1> : tensor<3xf32>} : () -> ()

// -----

// expected-error@+1 {{hexadecimal float constant out of range for type}}
"a.b"() {a = dense<0x1FFFFFFFF> : tensor<3xf32>} : () -> ()

// -----

// expected-error@+1 {{expected string containing hex digits starting with `0x`}}
"a.b"() {a = dense<"a"> : tensor<3xi32>} : () -> ()

// -----

// expected-error@+1 {{elements hex data size is invalid for provided type: 'tensor<3xi32>'}}
"a.b"() {a = dense<"0x01"> : tensor<3xi32>} : () -> ()

// -----

// expected-error@+1 {{parsed 1 elements, but type ('complex<i32>') expected 2 elements}}
"a.b"() {a = dense<1> : tensor<1xcomplex<i32>>} : () -> ()

// -----

// expected-error@+1 {{parsed 3 elements, but type ('tensor<2xcomplex<i32>>') expected 4 elements}}
"a.b"() {a = dense<[(1, 2), 3]> : tensor<2xcomplex<i32>>} : () -> ()

// -----

// expected-error@+1 {{expected ',' between complex elements}}
"a.b"() {a = dense<(1 2)> : tensor<1xcomplex<i32>>} : () -> ()

// -----

// expected-error@+1 {{expected ')' after complex elements}}
"a.b"() {a = dense<(1, 2> : tensor<1xcomplex<i32>>} : () -> ()

// -----

// expected-error@+1 {{expected element literal of primitive type}}
"a.b"() {a = dense<foo> : tensor<1xi32>} : () -> ()

// -----

// expected-error@+1 {{expected integer or floating point literal}}
"a.b"() {a = dense<-"a"> : tensor<1xi32>} : () -> ()

// -----

// expected-error@+1 {{expected string token, got 1}}
"a.b"() {a = dense<1> : tensor<1x!a.b>} : () -> ()

// -----

// expected-error@+1 {{expected '<' after 'dense_resource'}}
"a.b"() {a = dense_resource} : () -> ()

// -----

// expected-error@+1 {{expected identifier key for 'resource' entry}}
"a.b"() {a = dense_resource<1>} : () -> ()

// -----

// expected-error@+1 {{expected '>'}}
"a.b"() {a = dense_resource<a} : () -> ()

// -----

// expected-error@+1 {{expected ':'}}
"a.b"() {a = dense_resource<a>} : () -> ()

// -----

// expected-error@+1 {{`dense_resource` expected a shaped type}}
"a.b"() {a = dense_resource<a> : i32} : () -> ()

// -----

// expected-error@+1 {{Expected '<' after 'sparse'}}
"a.b"() {a = sparse} : () -> ()

// -----

// expected-error@+1 {{expected ','}}
"a.b"() {a = sparse<0} : () -> ()

// -----

// expected-error@+1 {{expected '>'}}
"a.b"() {a = sparse<0, 1} : () -> ()

// -----

// expected-error@+1 {{expected ':'}}
"a.b"() {a = sparse<0, 1>} : () -> ()

// -----

// expected-error@+1 {{elements literal must be a shaped type}}
"a.b"() {a = sparse<0, 1> : i32} : () -> ()

// -----

// expected-error@+1 {{expected shape ([2, 2]); inferred shape of indices literal ([1, 1]); inferred shape of values literal ([1])}}
"a.b"() {a = sparse<[[0]], 1> : tensor<2x2xi32>} : () -> ()

// -----

// expected-error@+1 {{expected 1-d tensor for sparse element values}}
"a.b"() {a = sparse<[0, 1], [[1, 2]]> : tensor<2xi32>} : () -> ()
