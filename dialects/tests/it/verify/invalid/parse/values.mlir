// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Values and blocks that are named twice or not at all.

func.func @f() {
// expected-note@+1 {{previously defined here}}
  %a = "x.y"() : () -> i32
// expected-error@+1 {{redefinition of SSA value '%a'}}
  %a = "x.y"() : () -> i32
  return
}

// -----

// expected-error@+2 {{region entry argument '%a' is already in use}}
// expected-note@+1 {{previously referenced here}}
func.func @f(%a: i32, %a: i32) {
  return
}

// -----

// expected-note@+1 {{previously referenced here}}
%a = "x.y"() : () -> i32
// expected-error@+1 {{region entry argument '%a' is already in use}}
func.func @f(%a: i32) {
  return
}

// -----

func.func @f() {
// expected-error@+1 {{use of undeclared SSA value name}}
  "x.y"(%a) : (i32) -> ()
  return
}

// -----

func.func @f() {
// expected-error@+1 {{use of undeclared SSA value name}}
  "x.y"(%a) : (i32) -> ()
// expected-error@+1 {{use of undeclared SSA value name}}
  "x.y"(%c#1) : (i32) -> ()
  return
}

// -----

// expected-note@+1 {{prior use here}}
func.func @f(%a: i32) {
// expected-error@+1 {{use of value '%a' expects different type than prior uses: 'f32' vs 'i32'}}
  "x.y"(%a) : (f32) -> ()
  return
}

// -----

func.func @f() {
// expected-note@+1 {{previously used here with type 'f32'}}
  "x.y"(%a) : (f32) -> ()
// expected-error@+1 {{definition of SSA value '%a#0' has type 'i32'}}
  %a = "x.z"() : () -> i32
  return
}

// -----

func.func @f() {
// expected-note@+1 {{prior use here}}
  "x.y"(%a) : (f32) -> ()
// expected-error@+1 {{use of value '%a' expects different type than prior uses: 'i32' vs 'f32'}}
  "x.y"(%a) : (i32) -> ()
  return
}

// -----

func.func @f() {
  %a:2 = "x.y"() : () -> (i32, i32)
// expected-error@+1 {{reference to invalid result number}}
  "x.y"(%a#2) : (i32) -> ()
  return
}

// -----

func.func @f() {
// expected-error@+1 {{reference to an undefined block}}
  cf.br ^b
}

// -----

func.func @f() {
^a:
  return
// expected-error@+1 {{redefinition of block '^a'}}
^a:
  return
}

// -----

func.func @f() {
// expected-error@+1 {{expected ':' and type for SSA operand}}
^a(%b):
  return
}

// -----

func.func @f() {
// expected-error@+1 {{expected SSA operand}}
^a(b: i32):
  return
}

// -----

func.func @f() {
// expected-error@+1 {{expected ')'}}
^a(%b: i32
  return
}

// -----

func.func @f() {
// expected-error@+1 {{expected ':' after block name}}
^a
  return
}

// -----

func.func @f(%a: i32) {
// expected-error@+1 {{invalid block name in region with named arguments}}
^a:
  return
}

// -----

// expected-error@+1 {{custom op 'func.func' expected SSA identifier}}
func.func @f(%a: i32, i32) {
  return
}

// -----

// expected-error@+1 {{custom op 'func.func' expected type instead of SSA identifier}}
func.func private @f(i32, %a: i32)

// -----

// expected-error@+1 {{result number not allowed in argument list}}
func.func @f(%a#0: i32) {
  return
}

// -----

func.func @f() {
// expected-error@+1 {{expected operation name in quotes}}
  return

// -----

func.func @f() {
  "x.y"() ({
    "x.z"() : () -> ()
// expected-error@+1 {{expected ')' to end region list}}
  }
  return
}

// -----

func.func @f() {
// expected-note@+1 {{previously referenced here}}
  affine.for %i = 0 to 10 {
// expected-error@+1 {{region entry argument '%i' is already in use}}
    affine.for %i = 0 to 10 {
    }
  }
  return
}

// -----

func.func @f(%a: i32) {
// expected-error@+1 {{successors in non-terminator}}
  "arith.negf"(%a)[^b] : (i32) -> i32
^b:
  return
}

// -----

func.func @f(%a: i32) {
// expected-error@+1 {{invalid properties {a = 1 : i64} for op func.return: this operation does not support properties}}
  "func.return"() <{a = 1}> : () -> ()
}
