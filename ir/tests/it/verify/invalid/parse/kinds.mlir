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
