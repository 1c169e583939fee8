// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// What the rows of operations declare, in generic form.

%a, %f = "t.v"() : () -> (i32, f32)
// expected-error@+1 {{'arith.addi' op operand #1 must be signless-integer-like, but got 'f32'}}
%0 = "arith.addi"(%a, %f) : (i32, f32) -> i32

// -----

%f, %i = "t.v"() : () -> (f32, index)
// expected-error@+1 {{'memref.load' op operand #0 must be memref of any type values, but got 'f32'}}
%0 = "memref.load"(%f, %i) : (f32, index) -> f32

// -----

%m, %f = "t.v"() : () -> (memref<3xf32>, f32)
// expected-error@+1 {{'memref.load' op operand #1 must be variadic of index, but got 'f32'}}
%0 = "memref.load"(%m, %f) : (memref<3xf32>, f32) -> f32

// -----

// expected-error@+1 {{'gpu.thread_id' op requires attribute 'dimension'}}
%0 = "gpu.thread_id"() : () -> index

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'arith.addi' op expected 2 operands, but found 1}}
%0 = "arith.addi"(%a) : (i32) -> i32

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'arith.addi' op requires one result}}
"arith.addi"(%a, %a) : (i32, i32) -> ()

// -----

%a = "t.v"() : () -> index
// expected-error@+1 {{'memref.alloc' op operand count (1) does not match with the total size (2) specified in attribute 'operandSegmentSizes'}}
%0 = "memref.alloc"(%a) <{operandSegmentSizes = array<i32: 1, 1>}> : (index) -> memref<?xf32>

// -----

%c = "t.v"() : () -> i1
// expected-error@+1 {{'scf.if' op expected 2 regions}}
"scf.if"(%c) : (i1) -> ()

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'gpu.wait' op operand #0 must be variadic of async token type, but got 'i32'}}
"gpu.wait"(%a) : (i32) -> ()

// -----

%a, %b = "t.v"() : () -> (i32, i64)
// expected-error@+1 {{'arith.cmpi' op requires all operands to have the same type}}
%0 = "arith.cmpi"(%a, %b) <{predicate = 1 : i64}> : (i32, i64) -> i1

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'arith.addi' op requires the same type for all operands and results}}
%0 = "arith.addi"(%a, %a) : (i32, i32) -> i64

// -----

%a = "t.v"() : () -> vector<2xi32>
// expected-error@+1 {{failed to verify that result type has i1 element type and same shape as operands}}
%0 = "arith.cmpi"(%a, %a) <{predicate = 2 : i64}> : (vector<2xi32>, vector<2xi32>) -> i1

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{failed to verify that all of {lhs, rhs, sum} have same type}}
%0, %1 = "arith.addui_extended"(%a, %a) : (i32, i32) -> (i64, i1)

// -----

%a = "t.v"() : () -> vector<2xi32>
// expected-error@+1 {{if an operand is non-scalar, then all results must be non-scalar}}
%0, %1 = "arith.addui_extended"(%a, %a) : (vector<2xi32>, vector<2xi32>) -> (vector<2xi32>, i1)

// -----

%a = "t.v"() : () -> vector<2xi32>
// expected-error@+1 {{requires the same shape for all operands and results}}
%0 = "arith.sitofp"(%a) : (vector<2xi32>) -> vector<3xf32>

// -----

// expected-error@+1 {{'func.return' op expects parent op 'func.func'}}
"func.return"() : () -> ()

// -----

// expected-error@+1 {{'arith.constant' op failed to verify that all of {value, result} have same type}}
%0 = "arith.constant"() <{value = 1 : i32}> : () -> i64

// -----

// expected-error@+1 {{'func.func' op attribute 'function_type' failed to satisfy constraint: type attribute of function type}}
"func.func"() <{function_type = i32, sym_name = "f"}> ({}) : () -> ()

// -----

// expected-error@+1 {{'arith.constant' op requires zero regions}}
%c = "arith.constant"() <{value = 1 : i32}> ({}) : () -> i32

// -----

func.func @f(%m: memref<?xf32>) {
  // expected-error@+1 {{'memref.alloc' op 'operandSegmentSizes' attribute cannot have negative elements}}
  %a = "memref.alloc"() <{operandSegmentSizes = array<i32: -1, 1>}> : () -> memref<4xf32>
  return
}

// -----

%a = "t.v"() : () -> memref<4xf32>
// expected-error@+1 {{'memref.extract_strided_metadata' op expected 2 or more results}}
"memref.extract_strided_metadata"(%a) : (memref<4xf32>) -> ()

// -----

func.func @f(%t: !gpu.async.token, %n: index) {
  // expected-error@+1 {{'gpu.launch' op operand group starting at #6 requires 0 or 1 element, but found 2}}
  "gpu.launch"(%n, %n, %n, %n, %n, %n, %n, %n) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 2, 0, 0, 0>}> ({
  ^bb0(%a: index, %b: index, %c: index, %d: index, %e: index, %f: index, %g: index, %h: index, %i: index, %j: index, %k: index, %l: index):
    gpu.terminator
  }) : (index, index, index, index, index, index, index, index) -> ()
  return
}

// -----

func.func @f(%b: i1) {
  // expected-error@+1 {{'scf.if' op expected 2 regions}}
  "scf.if"(%b) ({scf.yield}) : (i1) -> ()
  return
}
// -----
// Of several that are missing the first by name is told.
// expected-error@+1 {{'func.func' op requires attribute 'function_type'}}
"func.func"() ({}) : () -> ()
// -----
// expected-error@+1 {{attribute 'sym_name' failed to satisfy constraint: string attribute}}
"memref.global"() {sym_name = 1} : () -> ()
// -----
func.func @f(%f: (i32) -> ()) {
  // expected-error@+1 {{number of operands and types do not match: got 0 operands and 1 types}}
  call_indirect %f() : (i32) -> ()
  return
}
// -----
func.func @f() {
  // expected-error@+1 {{block with no terminator, has %0 = "arith.constant"() <{value = 1 : i32}> : () -> i32}}
  %x = arith.constant 1 : i32
}
// -----
// expected-note@+1 {{operand defined as a block argument (block #1 in the same region)}}
func.func @f() {
  // expected-error@+1 {{operand #0 does not dominate this use}}
  cf.br ^next(%x : i32)
^next(%x : i32):
  return
}
// -----
"a.regions"() ({
  // expected-error@+1 {{operand #0 does not dominate this use}}
  "a.use"(%x) : (i32) -> ()
  "a.end"() : () -> ()
}, {
  // expected-note@+1 {{operand defined here (op is neither in a parent nor in a child region)}}
  %x = "a.def"() : () -> i32
  "a.end"() : () -> ()
}) : () -> ()
