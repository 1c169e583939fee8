// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// expected-error@+1 {{integer constant out of range for attribute}}
"a.b"() {a = 9223372036854775808 : index} : () -> ()
// -----
// expected-error@+1 {{integer constant out of range for type}}
"a.b"() {a = dense<9223372036854775808> : tensor<2xindex>} : () -> ()
// -----
// expected-error@+1 {{expected a 64-bit signed integer or '?'}}
"a.b"() {a = strided<[-9223372036854775808]>} : () -> ()
// -----
// expected-error@+1 {{with index=[0, 18446744073709551615]}}
"a.b"() {a = sparse<[[0, -1]], [10]> : tensor<2x2xi16>} : () -> ()
// -----
// expected-error@+1 {{integer constant out of range for attribute}}
"a.b"() {a = -0 : i0} : () -> ()
// -----
// expected-error@+1 {{expected an unsigned 64-bit integer}}
"a.b"() {a = distinct[0x1FFFFFFFFFFFFFFFF]<1>} : () -> ()
// -----
// expected-error@+1 {{expected named operation to have at least 1 result}}
%0:0x0 = "a.b"() : () -> ()
// -----
// expected-error@+1 {{expected named operation to have at least 1 result}}
%0:18446744073709551616 = "a.b"() : () -> i32
// -----
// expected-error@+1 {{expected integer number of results}}
%0:x = "a.b"() : () -> i32
// -----
// expected-error@+1 {{integer constant out of range}}
"a.b"() {a = array<ui8: -129>} : () -> ()
