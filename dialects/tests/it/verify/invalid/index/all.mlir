// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%a: i32) {
  // expected-error@+1 {{'index.casts' op operand type 'i32' and result type 'i64' are cast incompatible}}
  %0 = index.casts %a : i32 to i64
  return
}
// -----
func.func @f(%i: index) {
  // expected-error@+1 {{'index.castu' op operand type 'index' and result type 'index' are cast incompatible}}
  %0 = index.castu %i : index to index
  return
}
// -----
func.func @f(%f: f32) {
  // expected-error@+1 {{'index.casts' op operand #0 must be integer or index, but got 'f32'}}
  %0 = index.casts %f : f32 to index
  return
}
// -----
func.func @f(%f: f32) {
  %i = index.constant 0
  // expected-error@+1 {{'index.add' op operand #1 must be index, but got 'f32'}}
  %0 = "index.add"(%i, %f) : (index, f32) -> index
  return
}
// -----
func.func @f(%i: index) {
  // expected-error@+1 {{'index.cmp' op result #0 must be 1-bit signless integer, but got 'i8'}}
  %0 = "index.cmp"(%i, %i) <{pred = #index<cmp_predicate eq>}> : (index, index) -> i8
  return
}
// -----
func.func @f(%i: index) {
  // expected-error@+1 {{'index.cmp' op requires attribute 'pred'}}
  %0 = "index.cmp"(%i, %i) : (index, index) -> i1
  return
}
