// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.for' op 0-th region iter_arg and 0-th yielded value have different type: 'f32' != 'i32'}}
  %r = scf.for %a = %i to %i step %i iter_args(%p = %f) -> (f32) {
 scf.yield %n : i32
 }
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.for' op operand #0 must be signless integer or index, but got 'f32'}}
  scf.for %a = %f to %f step %f : f32 {
 }
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.for' op failed to verify that all of {lowerBound, upperBound, step} have same type}}
  "scf.for"(%i, %i, %n) ({
 ^bb0(%a: index):
 scf.yield
 }) : (index, index, i32) -> ()
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.for' op expected induction variable to be same type as bounds and step}}
  "scf.for"(%i, %i, %i) ({
 ^bb0(%a: i32):
 scf.yield
 }) : (index, index, index) -> ()
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.for' op mismatch in number of loop-carried values and defined values}}
  %r = "scf.for"(%i, %i, %i) ({
 ^bb0(%a: index):
 scf.yield
 }) : (index, index, index) -> f32
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.for' op different number of inits and region iter_args: 1 != 0}}
  %r = "scf.for"(%i, %i, %i, %f) ({
 ^bb0(%a: index):
 scf.yield %f : f32
 }) : (index, index, index, f32) -> f32
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.for' op 0-th init and 0-th region iter_arg have different type: 'f32' != 'i32'}}
  %r = "scf.for"(%i, %i, %i, %f) ({
 ^bb0(%a: index, %b: i32):
 scf.yield %f : f32
 }) : (index, index, index, f32) -> f32
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.for' op expects region #0 to have 0 or 1 blocks}}
  "scf.for"(%i, %i, %i) ({
 ^bb0(%a: index):
 scf.yield
 ^bb1:
 scf.yield
 }) : (index, index, index) -> ()
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.for' op region #0 ('region') failed to verify constraint: region with 1 blocks}}
  "scf.for"(%i, %i, %i) ({
 }) : (index, index, index) -> ()
  return
}
