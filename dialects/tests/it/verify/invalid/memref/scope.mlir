// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f() {
  // expected-error@+1 {{'memref.alloca_scope.return' op expects parent op 'memref.alloca_scope'}}
  memref.alloca_scope.return
  return
}

// -----

func.func @f(%m: memref<4xf32>) {
  // expected-error@+1 {{'memref.alloca_scope' op expects a non-empty block}}
  "memref.alloca_scope"() ({
  ^bb0:
  }) : () -> ()
  return
}
