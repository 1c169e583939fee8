// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%i: index) -> i32 {
  // expected-error@+1 {{'scf.index_switch' op expected each region to return 1 values, but case region #0 returns 0}}
  %r = "scf.index_switch"(%i) <{cases = array<i64: 1>}> ({
    %c = arith.constant 1 : i32
    scf.yield %c : i32
  }, {
    // expected-note@+1 {{see yield operation here}}
    scf.yield
  }) : (index) -> i32
  return %r : i32
}

// -----

func.func @f(%i: index) -> i32 {
  // expected-error@+1 {{'scf.index_switch' op expected result #0 of each region to be 'i32'}}
  %r = "scf.index_switch"(%i) <{cases = array<i64: 1>}> ({
    %c = arith.constant 1 : i32
    scf.yield %c : i32
  }, {
    %c = arith.constant 1 : i64
    // expected-note@+1 {{case region #0 returns 'i64' here}}
    scf.yield %c : i64
  }) : (index) -> i32
  return %r : i32
}
