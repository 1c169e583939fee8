// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @symbol() {
  // expected-error@+1 {{invalid kind of attribute specified}}
  func.call "x"() : () -> ()
  return
}
// -----
func.func @poison() {
  // expected-error@+1 {{invalid kind of attribute specified}}
  %0 = ub.poison <1 : i32> : i32
  return
}
// -----
func.func @steps(%i: index) {
  // expected-error@+1 {{steps must be constant integers}}
  affine.parallel (%a) = (0) to (100) step (%i) { }
  return
}
// -----
func.func @results(%n: index, %t: tensor<4xf32>) {
  // expected-error@+1 {{number of operands and types do not match: got 1 operands and 0 types}}
  scf.forall (%i) in (%n) shared_outs(%o = %t) { }
  return
}
// -----
func.func @constant() {
  // expected-error@+1 {{custom op 'arith.constant' invalid kind of attribute specified}}
  %0 = arith.constant [1]
  return
}
// -----
func.func @alignment(%m: memref<4xf32>) {
  // expected-error@+1 {{custom op 'memref.assume_alignment' invalid kind of attribute specified}}
  memref.assume_alignment %m, "x" : memref<4xf32>
  return
}
// -----
func.func @reassociation(%t: tensor<4xf32>) {
  // expected-error@+1 {{'tensor.collapse_shape' op attribute 'reassociation' failed to satisfy constraint: Array of 64-bit integer array attributes}}
  %0 = tensor.collapse_shape %t [3] : tensor<4xf32> into tensor<4xf32>
  return
}
// -----
func.func @message(%c: i1) {
  // expected-error@+1 {{integer literal not valid for specified type}}
  cf.assert %c, -3
  return
}
// -----
func.func @message(%c: i1) {
  // expected-error@+1 {{elements literal must be a shaped type}}
  cf.assert %c, dense<1> : tensor<i32>
  return
}
// -----
func.func @message(%c: i1) {
  // expected-error@+1 {{custom op 'cf.assert' invalid kind of attribute specified}}
  cf.assert %c, true
  return
}
// -----
func.func @format() {
  // expected-error@+1 {{integer literal not valid for specified type}}
  gpu.printf 3
  return
}
