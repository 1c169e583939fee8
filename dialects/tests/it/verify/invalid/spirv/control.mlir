// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Rules of control flow.

spirv.module Logical GLSL450 {
  // expected-error@+1 {{op must appear in a function-like op's block}}
  "spirv.mlir.selection"() <{selection_control = #spirv.selection_control<None>}> ({
  }) : () -> ()
}

// -----

func.func @f(%c: i1) {
  // expected-error@+1 {{branch weights cannot both be zero}}
  spirv.BranchConditional %c [0, 0], ^a, ^a
^a:
  spirv.Return
}

// -----

func.func @f(%c: i1) {
  // expected-error@+1 {{must have exactly two branch weights}}
  "spirv.BranchConditional"(%c)[^a, ^a] <{branch_weights = [1 : i32], operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^a:
  spirv.Return
}

// -----

func.func @f(%c: i1) {
  // expected-error@+1 {{branch has 0 operands for successor #0, but target block has 1}}
  spirv.Branch ^a
^a(%x: i32):
  spirv.Return
}

// -----

func.func @f(%c: i1) {
  // expected-error@+1 {{branch has 0 operands for successor #1, but target block has 1}}
  spirv.BranchConditional %c, ^a(%c : i1), ^a
^a(%x: i1):
  spirv.Return
}

// -----

func.func @f() {
  // expected-error@+1 {{cannot be used in reachable block}}
  spirv.Unreachable
}

// -----

func.func @f(%s: i32) {
  // expected-error@+1 {{number of literals (2) should match number of targets (1)}}
  "spirv.Switch"(%s)[^a, ^a] <{case_operand_segments = array<i32: 0>, literals = dense<[1, 2]> : vector<2xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^a:
  spirv.Return
}

// -----

func.func @f(%s: i32) {
  // expected-error@+1 {{'selector' type ('i32') should match literals type ('i64')}}
  "spirv.Switch"(%s)[^a, ^a] <{case_operand_segments = array<i32: 0>, literals = dense<1> : vector<1xi64>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^a:
  spirv.Return
}

// -----

func.func @f() {
  // expected-error@+1 {{last block must be the merge block with only one 'spirv.mlir.merge' op}}
  spirv.mlir.selection {
    spirv.Return
  }
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{must have a selection header block}}
  spirv.mlir.selection {
    spirv.mlir.merge
  }
  return
}

// -----

func.func @f(%c: i1) {
  // expected-error@+1 {{should not have 'spirv.mlir.merge' op outside the merge block}}
  spirv.mlir.selection {
    spirv.BranchConditional %c, ^a, ^b
  ^a:
    spirv.mlir.merge
  ^b:
    spirv.mlir.merge
  }
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{last block must be the merge block with only one 'spirv.mlir.merge' op}}
  spirv.mlir.loop {
    spirv.Return
  }
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{must have an entry block branching to the loop header block}}
  spirv.mlir.loop {
    spirv.mlir.merge
  }
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{must have a loop header block branched from the entry block}}
  spirv.mlir.loop {
    spirv.Branch ^b
  ^b:
    spirv.mlir.merge
  }
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{entry block must only have one 'spirv.Branch' op to the second block}}
  spirv.mlir.loop {
    spirv.Branch ^b
  ^a:
    spirv.Branch ^b
  ^b:
    spirv.mlir.merge
  }
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{requires a loop continue block branching to the loop header block}}
  spirv.mlir.loop {
    spirv.Branch ^a
  ^a:
    spirv.Branch ^b
  ^b:
    spirv.mlir.merge
  }
  return
}

// -----

func.func @f(%c: i1) {
  // expected-error@+1 {{second to last block must be the loop continue block that branches to the loop header block}}
  spirv.mlir.loop {
    spirv.Branch ^a
  ^a:
    spirv.BranchConditional %c, ^b, ^m
  ^b:
    spirv.Branch ^m
  ^m:
    spirv.mlir.merge
  }
  return
}

// -----

func.func @f(%c: i1) {
  // expected-error@+1 {{can only have the entry and loop continue block branching to the loop header block}}
  spirv.mlir.loop {
    spirv.Branch ^a
  ^a:
    spirv.BranchConditional %c, ^b, ^m
  ^b:
    spirv.BranchConditional %c, ^a, ^d
  ^d:
    spirv.Branch ^a
  ^m:
    spirv.mlir.merge
  }
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expects parent op to be one of 'spirv.mlir.selection, spirv.mlir.loop'}}
  spirv.mlir.merge
}

// -----

func.func @f() {
  %c = spirv.Constant 1 : i32
  // expected-error@+1 {{expects parent op 'spirv.SpecConstantOperation'}}
  spirv.mlir.yield %c : i32
}

// -----

spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
    // expected-error@+1 {{callee function 'g' not found in nearest symbol table}}
    spirv.FunctionCall @g() : () -> ()
    spirv.Return
  }
}

// -----

spirv.module Logical GLSL450 {
  spirv.func @g(%a: i32) "None" {
    spirv.Return
  }
  spirv.func @f() "None" {
    // expected-error@+1 {{has incorrect number of operands for callee: expected 1, but provided 0}}
    spirv.FunctionCall @g() : () -> ()
    spirv.Return
  }
}

// -----

spirv.module Logical GLSL450 {
  spirv.func @g(%a: i32) "None" {
    spirv.Return
  }
  spirv.func @f(%b: f32) "None" {
    // expected-error@+1 {{operand type mismatch: expected operand type 'i32', but provided 'f32' for operand number 0}}
    spirv.FunctionCall @g(%b) : (f32) -> ()
    spirv.Return
  }
}

// -----

spirv.module Logical GLSL450 {
  spirv.func @g() "None" {
    spirv.Return
  }
  spirv.func @f() "None" {
    // expected-error@+1 {{has incorrect number of results has for callee: expected 0, but provided 1}}
    %0 = spirv.FunctionCall @g() : () -> i32
    spirv.Return
  }
}

// -----

spirv.module Logical GLSL450 {
  spirv.func @g(%a: i32) -> i32 "None" {
    spirv.ReturnValue %a : i32
  }
  spirv.func @f(%a: i32) "None" {
    // expected-error@+1 {{result type mismatch: expected 'i32', but provided 'f32'}}
    %0 = spirv.FunctionCall @g(%a) : (i32) -> f32
    spirv.Return
  }
}

// -----

func.func @f(%x: i32, %p: !spirv.ptr<f32, Function>) {
  // expected-error@+1 {{payload must be a variable with a storage class of TaskPayloadWorkgroupEXT}}
  spirv.EXT.EmitMeshTasks %x, %x, %x, %p : i32, i32, i32, !spirv.ptr<f32, Function>
}

// -----

spirv.module Logical GLSL450 {
  spirv.func @f(%a: i32) "None" {
    // expected-error@+1 {{'spirv.Switch' op targetOperands count (2) does not match with the total size (3) specified in attribute 'case_operand_segments'}}
    "spirv.Switch"(%a, %a, %a)[^b, ^c, ^c] <{case_operand_segments = array<i32: 2, 1>, literals = dense<[0, 1]> : vector<2xi32>, operandSegmentSizes = array<i32: 1, 0, 2>}> : (i32, i32, i32) -> ()
  ^b:
    spirv.Return
  ^c(%x: i32):
    spirv.Return
  }
}

// -----

func.func @controls() {
  // expected-error@+1 {{expected ')'}}
  spirv.mlir.loop control(Unroll|DependencyInfinite) {
  }
  return
}

// -----

func.func @no_cases(%i: i32) {
  // expected-error@+1 {{custom op 'spirv.Switch' expected 'default'}}
  spirv.Switch %i : i32, []
^a:
  spirv.Return
}
