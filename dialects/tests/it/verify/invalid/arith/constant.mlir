// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%n: index, %b: i32, %p: memref<4xf32>) {
  // expected-error@+1 {{'arith.constant' op failed to verify that all of {value, result} have same type}}
  %c = "arith.constant"() <{value = 1 : i32}> : () -> i64
  return
}
