// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @brackets(%c: i1, %n: i32) {
  // expected-error@+1 {{unexpected delimiter}}
  %0 = arith.select (%c), %n, %n : i32
  return
}
// -----
func.func @few(%c: i1, %n: i32) {
  // expected-error@+1 {{'arith.select' expected 3 operands}}
  %0 = arith.select %c, %n : i32
  return
}
// -----
func.func @many(%c: i1, %n: i32) {
  // expected-error@+1 {{'arith.select' expected 3 operands}}
  %0 = arith.select %c, %n, %n, %n : i32
  return
}
// -----
func.func @none() {
  // expected-error@+1 {{expected operand}}
  %0 = arith.select : i32
  return
}
