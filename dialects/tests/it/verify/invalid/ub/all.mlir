// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%a: i32) {
  // expected-error@+1 {{'ub.unreachable' op requires zero operands}}
  "ub.unreachable"(%a) : (i32) -> ()
}
// -----
func.func @f() {
  // expected-error@+1 {{must be the last operation in the parent block}}
  ub.unreachable
  return
}
