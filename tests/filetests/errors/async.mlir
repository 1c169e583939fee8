// test: error opt
// error: 5:8: async body region argument types do not match the execute operation arguments types
func.func @f(%v: !async.value<f32>) {
  // The region takes another type than the value holds.
  %t = "async.execute"(%v) <{operandSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%x: i32):
    "async.yield"() : () -> ()
  }) : (!async.value<f32>) -> !async.token
  return
}
