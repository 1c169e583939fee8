// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @separated_by_bars(%a: i32) -> i32 {
  // expected-error-re@+1 {{expected {{.}}>}}
  %0 = arith.addi %a, %a overflow<nsw|nuw> : i32
  return %0 : i32
}
// -----
func.func @separated_by_bars(%a: f32) -> f32 {
  // expected-error-re@+1 {{expected {{.}}>}}
  %0 = arith.mulf %a, %a fastmath<nnan | ninf> : f32
  return %0 : f32
}
