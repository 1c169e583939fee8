// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func private @g() -> i32
func.func @f() {
  // expected-error@+3 {{'func.call' op result type mismatch at index 0}}
  // expected-note@+2 {{op result types: 'i64'}}
  // expected-note@+1 {{function result types: 'i32'}}
  %r = "func.call"() <{callee = @g}> : () -> i64
  return
}
