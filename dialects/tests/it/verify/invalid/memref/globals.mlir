// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// expected-error@+1 {{'memref.global' op initial value shape expected to be 4 but was 5}}
"memref.global"() <{sym_name = "a", type = memref<4xf32>, initial_value = dense<1.0> : tensor<5xf32>}> : () -> ()
// -----
// expected-error@+1 {{'memref.global' op initial value element expected to be of type 'f32', but was of type 'f64'}}
"memref.global"() <{sym_name = "a", type = memref<4xf32>, initial_value = dense<1.0> : tensor<4xf64>}> : () -> ()
// -----
// expected-error@+1 {{'memref.global' op initial value should be a unit or elements attribute, but got 1 : i32}}
"memref.global"() <{sym_name = "a", type = memref<4xf32>, initial_value = 1 : i32}> : () -> ()
// -----
// expected-error@+1 {{'memref.global' op type should be static shaped memref, but got 'memref<?xf32>'}}
"memref.global"() <{sym_name = "a", type = memref<?xf32>}> : () -> ()
// -----
memref.global @g : memref<4xf32>
func.func @f() {
// expected-error@+1 {{'memref.get_global' op result type 'memref<5xf32>' does not match type 'memref<4xf32>' of the global memref @g}}
%0 = memref.get_global @g : memref<5xf32>
return }
// -----
func.func @f() {
// expected-error@+1 {{'memref.get_global' op 'g' does not reference a valid global memref}}
%0 = memref.get_global @g : memref<5xf32>
return }
// -----
// expected-error@+1 {{'memref.global' op visibility expected to be one of ["public", "private", "nested"], but got "foo"}}
memref.global "foo" @g : memref<2xf32>
