// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f() {
  // expected-error@+1 {{intializing scalable vectors with elements attribute is not supported unless it's a vector splat}}
  %0 = arith.constant dense<[1, 2]> : vector<[2]xi32>
  return
}
// -----
func.func @f() {
  // expected-error@+1 {{value must be an integer, float, or elements attribute}}
  %0 = arith.constant #complex.number<:f32 1.0, 2.0> : complex<f32>
  return
}
// -----
func.func @f() {
  // expected-error@+1 {{value must be an integer, float, or elements attribute}}
  %0 = arith.constant "a"
  return
}
// -----
func.func @f() {
  // expected-error@+1 {{integer return type must be signless}}
  %0 = arith.constant 1 : si32
  return
}
