// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f() {
  // expected-error@+1 {{requires attribute's element types ('f32', 'f64') to match the element type of the op's return type ('f32')}}
  %0 = complex.constant [1.0 : f32, 2.0 : f64] : complex<f32>
  return
}
// -----
func.func @f() {
  // expected-error@+1 {{requires 'value' to be a complex constant, represented as array of two values}}
  %0 = complex.constant [1.0 : f32] : complex<f32>
  return
}
// -----
func.func @f() {
  // expected-error@+1 {{requires attribute's elements to be float or integer attributes}}
  %0 = complex.constant [1.0 : f32, unit] : complex<f32>
  return
}
// -----
func.func @f(%a: i64) {
  // expected-error@+1 {{requires that either input or output has a complex type}}
  %0 = complex.bitcast %a : i64 to f64
  return
}
// -----
func.func @f(%a: complex<f32>) {
  // expected-error@+1 {{requires that either input or output has a complex type}}
  %0 = complex.bitcast %a : complex<f32> to complex<i32>
  return
}
// -----
func.func @f(%a: complex<f32>) {
  // expected-error@+1 {{casting bitwidths do not match}}
  %0 = complex.bitcast %a : complex<f32> to f32
  return
}
// -----
func.func @f(%a: complex<f32>) {
  // expected-error@+1 {{result must be int/float/complex}}
  %0 = complex.bitcast %a : complex<f32> to vector<2xf32>
  return
}
// -----
func.func @f(%a: index) {
  // expected-error@+1 {{operand must be int/float/complex}}
  %0 = complex.bitcast %a : index to complex<f32>
  return
}
// -----
func.func @f(%a: f64) {
  // expected-error@+1 {{failed to verify that complex element type matches real operand type}}
  %0 = "complex.create"(%a, %a) : (f64, f64) -> complex<f32>
  return
}
// -----
func.func @f(%a: f64, %b: f32) {
  // expected-error@+1 {{failed to verify that all of {real, imaginary} have same type}}
  %0 = "complex.create"(%a, %b) : (f64, f32) -> complex<f64>
  return
}
// -----
func.func @f(%a: complex<f32>) {
  // expected-error@+1 {{failed to verify that complex element type matches result type}}
  %0 = "complex.abs"(%a) : (complex<f32>) -> f64
  return
}
// -----
func.func @f(%a: complex<f32>) {
  // expected-error@+1 {{failed to verify that complex element type matches result type}}
  %0 = "complex.re"(%a) : (complex<f32>) -> f64
  return
}
// -----
func.func @f(%a: complex<i32>) {
  // expected-error@+1 {{operand #0 must be complex type with floating-point elements, but got 'complex<i32>'}}
  %0 = complex.add %a, %a : complex<i32>
  return
}
// -----
func.func @f(%a: complex<f32>, %b: complex<f64>) {
  // expected-error@+1 {{requires the same type for all operands and results}}
  %0 = "complex.add"(%a, %b) : (complex<f32>, complex<f64>) -> complex<f32>
  return
}
// -----
func.func @f(%a: complex<f32>, %b: complex<f64>) {
  // expected-error@+1 {{failed to verify that all of {lhs, rhs} have same type}}
  %0 = "complex.eq"(%a, %b) : (complex<f32>, complex<f64>) -> i1
  return
}
// -----
func.func @f(%a: complex<f32>, %b: i32) {
  // expected-error@+1 {{failed to verify that all of {lhs, result} have same type}}
  %0 = "complex.powi"(%a, %b) : (complex<f32>, i32) -> complex<f64>
  return
}
