// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.if' op must have an else block if defining values}}
  %r = scf.if %c -> (f32) {
 scf.yield %f : f32
 }
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.if' op region #0 should have no arguments}}
  "scf.if"(%c) ({
 ^bb0(%a: i32):
 scf.yield
 }, {}) : (i1) -> ()
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.if' op region #0 ('thenRegion') failed to verify constraint: region with 1 blocks}}
  "scf.if"(%c) ({}, {}) : (i1) -> ()
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.if' op expected 2 regions}}
  "scf.if"(%c) ({
 scf.yield
 }) : (i1) -> ()
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.if' op operand #0 must be 1-bit signless integer, but got 'i32'}}
  "scf.if"(%n) ({
 scf.yield
 }, {}) : (i32) -> ()
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.if' op expects region #1 to have 0 or 1 blocks}}
  "scf.if"(%c) ({
 scf.yield
 }, {
 scf.yield
 ^bb1:
 scf.yield
 }) : (i1) -> ()
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.yield' op expects parent op to be one of 'scf.execute_region, scf.for, scf.if, scf.index_switch, scf.while'}}
  scf.yield
  return
}
