// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.execute_region' op region cannot have any arguments}}
  scf.execute_region {
 ^bb0(%a: i32):
 scf.yield
 }
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.execute_region' op region needs to have at least one block}}
  "scf.execute_region"() ({}) : () -> ()
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.index_switch' op region #1 ('caseRegions') failed to verify constraint: region with 1 blocks}}
  scf.index_switch %i
 case 1 {
 }
 case 1 {
 }
 default {
 }
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.index_switch' op has 1 case regions but 2 case values}}
  "scf.index_switch"(%i) <{cases = array<i64: 1, 2>}> ({
 scf.yield
 }, {
 scf.yield
 }) : (index) -> ()
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.index_switch' op expects region #0 to have 0 or 1 blocks}}
  "scf.index_switch"(%i) <{cases = array<i64>}> ({
 cf.br ^bb1
 ^bb1:
 scf.yield
 }) : (index) -> ()
  return
}
