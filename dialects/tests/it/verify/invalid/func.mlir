// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Invariants of func operations.

func.func @f(%a: i32) {
  // expected-error@+1 {{'func.call' op 'g' does not reference a valid function}}
  func.call @g(%a) : (i32) -> ()
  return
}

// -----

func.func private @g() func.func @f(%a: i32) {
  // expected-error@+1 {{'func.call' op incorrect number of operands for callee}}
  func.call @g(%a) : (i32) -> ()
  return
}

// -----

func.func private @g(f32) func.func @f(%a: i32) {
  // expected-error@+1 {{'func.call' op operand type mismatch: expected operand type 'f32', but provided 'i32' for operand number 0}}
  func.call @g(%a) : (i32) -> ()
  return
}

// -----

func.func private @g() -> i32 func.func @f(%a: i32) {
  // expected-error@+1 {{'func.call' op incorrect number of results for callee}}
  func.call @g() : () -> ()
  return
}

// -----

memref.global @g : memref<1xf32> func.func @f(%a: i32) {
// expected-error@+1 {{'func.call' op 'g' does not reference a valid function}}
%0 = func.call @g() : () -> i32 return }

// -----

func.func @f(%a: i32) -> f32 {
  // expected-error@+1 {{type of return operand 0 ('i32') doesn't match function result type ('f32') in function @f}}
  return %a : i32 }

// -----

// expected-error@+1 {{'func.func' op entry block must have 1 arguments to match function signature}}
"func.func"() <{function_type = (i32)->(), sym_name="f"}> ({^bb0: "func.return"() : ()->() }) : () -> ()

// -----

// expected-error@+1 {{'func.func' op type of entry block argument #0('f32') must match the type of the corresponding argument in function signature('i32')}}
"func.func"() <{function_type = (i32)->(), sym_name="f"}> ({^bb0(%a: f32): "func.return"() : ()->() }) : () -> ()

// -----

// expected-error@+1 {{'func.func' op symbol declaration cannot have public visibility}}
"func.func"() <{function_type = (i32)->(), sym_name="f"}> ({}) : () -> ()

// -----

// expected-error@+1 {{'func.func' op attribute 'function_type' failed to satisfy constraint: type attribute of function type}}
"func.func"() <{function_type = i32, sym_name="f"}> ({}) : () -> ()

// -----

// expected-error@+1 {{'func.func' op requires attribute 'function_type'}}
"func.func"() <{sym_name="f"}> ({}) : () -> ()

// -----

// expected-error@+1 {{'func.func' op symbol declaration cannot have public visibility}}
"func.func"() <{function_type = (i32)->(), sym_name="f", arg_attrs=[]}> ({}) : () -> ()

// -----

func.func @g() {return} func.func @f() {
  // expected-error@+1 {{'func.constant' op reference to undefined function 'h'}}
  %0 = func.constant @h : () -> ()
  return
}

// -----

func.func @g() {return} func.func @f() {
  // expected-error@+1 {{'func.constant' op reference to function with mismatched type}}
  %0 = func.constant @g : (i32) -> ()
  return
}

// -----

// expected-error@+1 {{'func.return' op expects parent op 'func.func'}}
"func.return"() : () -> ()

// -----

func.func @f() {
  // expected-error@+1 {{'func.constant' op reference to undefined function 'g'}}
  %0 = func.constant @g : i32
  return
}

// -----

// expected-error@+1 {{'builtin.module' op region should have no arguments}}
module { ^bb0(%a: i32): }

// -----

// expected-error@+1 {{'builtin.module' op region should have no arguments}}
"builtin.module"() ({^bb0(%a: i32): }) : () -> ()

// -----

// expected-error@+1 {{'builtin.module' op can only contain attributes with dialect-prefixed names, found: 'foo'}}
module attributes {foo = 1} {}

// -----

// expected-error@+1 {{'builtin.module' op expects region #0 to have 0 or 1 blocks}}
"builtin.module"() ({^bb0: ^bb1: }) : () -> ()

// -----

// expected-error@+1 {{'builtin.unrealized_conversion_cast' op expected at least one result for cast operation}}
"builtin.unrealized_conversion_cast"() : () -> ()

// -----

func.func @f(%c: i1) {
  // expected-error@+1 {{type mismatch for bb argument #0 of successor #0}}
  cf.cond_br %c, ^a(%c: i1), ^b ^a(%x: i32): return ^b:
  return
}

// -----

func.func @f(%c: i32) {
  // expected-error@+1 {{'cf.switch' op number of case values (2) should match number of case destinations (1)}}
  "cf.switch"(%c)[^a,^b] <{operandSegmentSizes=array<i32:1,0,0>, case_operand_segments=array<i32:0>, case_values=dense<[1,2]>:vector<2xi32>}>: (i32)->() ^a: return ^b:
  return
}

// -----

func.func @f(%c: i32) {
  // expected-error@+1 {{'cf.switch' op 'flag' type ('i32') should match case value type ('i64')}}
  "cf.switch"(%c)[^a,^b] <{operandSegmentSizes=array<i32:1,0,0>, case_operand_segments=array<i32:0>, case_values=dense<[1]>:vector<1xi64>}>: (i32)->() ^a: return ^b:
  return
}

// -----

// expected-error@+1 {{entry block of region may not have predecessors}}
"x.y"() ({ ^a: "t.br"()[^a] : () -> () }) : () -> ()

// -----

func.func @f(%c: i1) {
  // expected-error@+1 {{'cf.assert' op requires attribute 'msg'}}
  "cf.assert"(%c) : (i1) -> ()
  return
}
