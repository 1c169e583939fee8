// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// An operation like one that is sound may stand in a wrong place, or its regions may be wrong.

func.func @f(%c: i1) {
  scf.if %c {
    scf.yield
  }
  // expected-error@+1 {{'scf.if' op region #0 should have no arguments}}
  "scf.if"(%c) ({
  ^bb0(%x: i32):
    scf.yield
  }, {
  }) : (i1) -> ()
  return
}
// -----
func.func @f(%c: i1) {
  scf.if %c {
    scf.yield
  }
  // expected-error@+2 {{'scf.if' op expects regions to end with 'scf.yield', found 'foo.end'}}
  // expected-note@+1 {{in custom textual format, the absence of terminator implies 'scf.yield'}}
  "scf.if"(%c) ({
    "foo.end"() : () -> ()
  }, {
  }) : (i1) -> ()
  return
}
// -----
func.func @f(%c: i1) {
  scf.if %c {
    scf.yield
  }
  // expected-error@+1 {{'scf.if' op expects a non-empty block}}
  "scf.if"(%c) ({
    scf.yield
  }, {
  ^bb0:
  }) : (i1) -> ()
  return
}
// -----
func.func @f(%c: i1) {
  scf.if %c {
    scf.yield
  }
  // expected-error@+1 {{'scf.if' op expects region #0 to have 0 or 1 blocks}}
  "scf.if"(%c) ({
    scf.yield
  ^bb1:
    scf.yield
  }, {
  }) : (i1) -> ()
  return
}
// -----
func.func @f(%c: i1) {
  scf.if %c {
    scf.yield
  }
  scf.if %c {
    // expected-error@+1 {{'scf.yield' op must be the last operation in the parent block}}
    "scf.yield"() : () -> ()
    scf.yield
  }
  return
}
// -----
func.func @f(%c: i1) -> i32 {
  %0 = scf.if %c -> i32 {
    %a = arith.constant 1 : i32
    scf.yield %a : i32
  } else {
    %b = arith.constant 2 : i32
    scf.yield %b : i32
  }
  %1 = scf.if %c -> i32 {
    // expected-error@+1 {{operand #0 does not dominate this use}}
    "foo.use"(%2) : (i32) -> ()
    // expected-note@+1 {{operand defined here (op in the same block)}}
    %2 = arith.constant 1 : i32
    scf.yield %2 : i32
  } else {
    %3 = arith.constant 2 : i32
    scf.yield %3 : i32
  }
  return %1 : i32
}
// -----
func.func @f() {
  // expected-note@+1 {{operand defined here (op in a parent region)}}
  %0 = scf.execute_region -> i32 {
    // expected-error@+1 {{operand #0 does not dominate this use}}
    "foo.use"(%0) : (i32) -> ()
    %1 = arith.constant 1 : i32
    scf.yield %1 : i32
  }
  return
}
// -----
module {
  "func.func"() <{function_type = () -> (), sym_name = "a"}> ({
    func.return
  }) : () -> ()
  // expected-error@+1 {{'func.func' op requires attribute 'sym_name'}}
  "func.func"() <{function_type = () -> ()}> ({
    func.return
  }) : () -> ()
}
// -----
module {
  func.func @a() {
    return
  }
  // expected-error@+1 {{'func.func' op entry block must have 0 arguments to match function signature}}
  "func.func"() <{function_type = () -> (), sym_name = "b"}> ({
  ^bb0(%x: i32):
    func.return
  }) : () -> ()
}
// -----
module {
  func.func @a() -> i32 {
    %0 = arith.constant 1 : i32
    return %0 : i32
  }
  func.func @b() {
    %0 = arith.constant 1 : i32
    // expected-error@+1 {{'func.return' op has 1 operands, but enclosing function (@b) returns 0}}
    return %0 : i32
  }
}
// -----
// expected-note@+1 {{see existing symbol definition here}}
func.func private @a()
func.func private @b()
// expected-error@+1 {{redefinition of symbol named 'a'}}
func.func private @a()
// -----
func.func private @a()
func.func @f() {
  // expected-error@+1 {{'func.func' op symbol's parent must have the SymbolTable trait}}
  func.func private @b()
  return
}
// -----
func.func @f(%x: i32) {
  cf.br ^bb1(%x : i32)
^bb1(%a: i32):
  // expected-error@+1 {{type mismatch for bb argument #0 of successor #0}}
  "cf.br"(%a)[^bb2] : (i32) -> ()
^bb2(%b: i64):
  return
}
// -----
func.func @f(%x: i32) {
  cf.br ^bb1(%x : i32)
^bb1(%a: i32):
  // expected-error@+1 {{branch has 1 operands for successor #0, but target block has 0}}
  "cf.br"(%a)[^bb2] : (i32) -> ()
^bb2:
  return
}
// -----
func.func @f(%x: i32) {
  cf.br ^bb1
^bb1:
  // expected-error@+1 {{operation with block successors must terminate its parent block}}
  "cf.br"()[^bb2] : () -> ()
  "foo.after"() : () -> ()
^bb2:
  return
}
// -----
func.func @f(%c: i1) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  // expected-note@+1 {{operand defined here (op in the same region)}}
  %0 = "foo.value"() : () -> i32
  cf.br ^bb3
^bb2:
  cf.br ^bb3
^bb3:
  // expected-error@+1 {{operand #0 does not dominate this use}}
  "foo.use"(%0) : (i32) -> ()
  return
}
