// test: verify --verify-diagnostics
func.func @f(%v: !async.value<f32>) {
  // expected-error@+1 {{async body region argument types do not match the execute operation arguments types}}
  %t = "async.execute"(%v) <{operandSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%x: i32):
    "async.yield"() : () -> ()
  }) : (!async.value<f32>) -> !async.token
  return
}
