// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%a: i32) {
  // expected-error@+1 {{invalid properties {predicate = "x"} for op arith.cmpi: Invalid attribute `predicate` in property conversion: "x"}}
  %0 = "arith.cmpi"(%a, %a) <{predicate = "x"}> : (i32, i32) -> i1
  return
}
// -----
func.func @f(%a: i32) {
  // expected-error@+1 {{invalid properties {predicate = 1 : i32} for op arith.cmpi: Invalid attribute `predicate` in property conversion: 1 : i32}}
  %0 = "arith.cmpi"(%a, %a) <{predicate = 1 : i32}> : (i32, i32) -> i1
  return
}
// -----
func.func @f(%a: i32) {
  // expected-error@+1 {{invalid properties {overflowFlags = 1 : i64} for op arith.addi: Invalid attribute `overflowFlags` in property conversion: 1 : i64}}
  %0 = "arith.addi"(%a, %a) <{overflowFlags = 1 : i64}> : (i32, i32) -> i32
  return
}
// -----
func.func @f(%a: index) {
  // expected-error@+1 {{invalid properties {operandSegmentSizes = [1, 0]} for op memref.alloc: expected DenseI32ArrayAttr for key `value`}}
  %0 = "memref.alloc"(%a) <{operandSegmentSizes = [1, 0]}> : (index) -> memref<?xi32>
  return
}
// -----
func.func @f(%a: index) {
  // expected-error@+1 {{invalid properties {operandSegmentSizes = array<i32: 1>} for op memref.alloc: size mismatch in attribute conversion: 1 vs 2}}
  %0 = "memref.alloc"(%a) <{operandSegmentSizes = array<i32: 1>}> : (index) -> memref<?xi32>
  return
}
// -----
func.func @f(%a: index) {
  // expected-error@+1 {{invalid properties {alignment = "no", operandSegmentSizes = array<i32: 1, 0>} for op memref.alloc: Invalid attribute `alignment` in property conversion: "no"}}
  %0 = "memref.alloc"(%a) <{operandSegmentSizes = array<i32: 1, 0>, alignment = "no"}> : (index) -> memref<?xi32>
  return
}
// -----
// expected-error@+1 {{invalid properties {function_type = () -> (), sym_name = 4 : i32} for op func.func: Invalid attribute `sym_name` in property conversion: 4 : i32}}
"func.func"() <{function_type = () -> (), sym_name = 4 : i32}> ({}) : () -> ()
// -----
// expected-error@+1 {{invalid properties {function_type = 3 : i64, sym_name = "f"} for op func.func: Invalid attribute `function_type` in property conversion: 3 : i64}}
"func.func"() <{function_type = 3, sym_name = "f"}> ({}) : () -> ()
// -----
func.func @f(%a: index) {
  // expected-error@+1 {{invalid properties {value = [2]} for op arith.constant: Invalid attribute `value` in property conversion: [2]}}
  %0 = "arith.constant"() <{value = [2]}> : () -> i32
  return
}
// -----
func.func @f(%a: index) {
  // expected-error@+1 {{invalid properties {x} for op gpu.barrier: this operation does not support properties}}
  "gpu.barrier"() <{x}> : () -> ()
  return
}
// -----
func.func @f(%a: index, %b: f32) {
  %0 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<3xf32>
  "memref.store"(%b, %0, %a) <{nontemporal = true}> : (f32, memref<3xf32>, index) -> ()
  // expected-error@+1 {{invalid properties {nontemporal} for op memref.store: Invalid attribute `nontemporal` in property conversion: unit}}
  "memref.store"(%b, %0, %a) <{nontemporal}> : (f32, memref<3xf32>, index) -> ()
  return
}
// -----
func.func @f(%a: index) {
  // expected-error@+1 {{invalid properties {x = 3 : i64, y} for op gpu.barrier: this operation does not support properties}}
  "gpu.barrier"() <{x = 3, y}> : () -> ()
  return
}
// -----
func.func @f(%a: vector<4xf32>, %m: memref<4xf32>, %i: index) {
  // expected-error@+1 {{invalid properties {in_bounds = 3 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>} for op vector.transfer_write: Invalid attribute `in_bounds` in property conversion: 3 : i64}}
  "vector.transfer_write"(%a, %m, %i) <{in_bounds = 3, operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (vector<4xf32>, memref<4xf32>, index) -> ()
  return
}
// -----
// expected-error@+1 {{'memref.global' op attribute 'type' failed to satisfy constraint: memref type attribute}}
"memref.global"() <{sym_name = "x", type = f32}> : () -> ()
// -----
// expected-error@+1 {{invalid properties {sym_name = "x", type = "f32"} for op memref.global: Invalid attribute `type` in property conversion: "f32"}}
"memref.global"() <{sym_name = "x", type = "f32"}> : () -> ()
// -----
// expected-error@+1 {{invalid properties {constant = true, sym_name = "x", type = memref<2xf32>} for op memref.global: Invalid attribute `constant` in property conversion: true}}
"memref.global"() <{sym_name = "x", type = memref<2xf32>, constant = true}> : () -> ()
// -----
func.func @f(%v: vector<4xf32>) {
  %0 = "vector.reduction"(%v) <{kind = #vector.kind<add>, fastmath = #arith.fastmath<fast>}> : (vector<4xf32>) -> f32
  // expected-error@+1 {{invalid properties {kind = "add"} for op vector.reduction: Invalid attribute `kind` in property conversion: "add"}}
  %1 = "vector.reduction"(%v) <{kind = "add"}> : (vector<4xf32>) -> f32
  return
}
// -----
func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{invalid properties {fastmath = "fast"} for op arith.addf: Invalid attribute `fastmath` in property conversion: "fast"}}
  %1 = "arith.addf"(%v, %v) <{fastmath = "fast"}> : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  return
}
// -----
func.func @f(%v: i32, %c: i1) {
  // expected-error@+1 {{invalid properties {branch_weights = array<i64: 1, 2>, operandSegmentSizes = array<i32: 1, 0, 0>} for op cf.cond_br: Invalid attribute `branch_weights` in property conversion: array<i64: 1, 2>}}
  "cf.cond_br"(%c)[^a, ^a] <{branch_weights = array<i64: 1, 2>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^a:
  return
}
// -----
func.func @f(%v: i32, %c: i1) {
  // expected-error@+1 {{'cf.switch' op 'flag' type ('i32') should match case value type ('i8')}}
  "cf.switch"(%v)[^a] <{case_operand_segments = array<i32>, operandSegmentSizes = array<i32: 1, 0, 0>, case_values = dense<1> : tensor<1xi8>}> : (i32) -> ()
^a:
  return
}
// -----
func.func @f(%v: i32, %c: i1) {
  // expected-error@+1 {{invalid properties {case_operand_segments = array<i64>, case_values = dense<1> : tensor<1xi8>, operandSegmentSizes = array<i32: 1, 0, 0>} for op cf.switch: Invalid attribute `case_operand_segments` in property conversion: array<i64>}}
  "cf.switch"(%v)[^a] <{case_operand_segments = array<i64>, operandSegmentSizes = array<i32: 1, 0, 0>, case_values = dense<1> : tensor<1xi8>}> : (i32) -> ()
^a:
  return
}
// -----
func.func @f(%v: i32, %c: i1) {
  // expected-error@+1 {{invalid properties {case_operand_segments = array<i32>, case_values = dense<1.000000e+00> : tensor<1xf32>, operandSegmentSizes = array<i32: 1, 0, 0>} for op cf.switch: Invalid attribute `case_values` in property conversion: dense<1.000000e+00> : tensor<1xf32>}}
  "cf.switch"(%v)[^a] <{case_operand_segments = array<i32>, operandSegmentSizes = array<i32: 1, 0, 0>, case_values = dense<1.0> : tensor<1xf32>}> : (i32) -> ()
^a:
  return
}
// -----
func.func @f(%t: memref<2x3xf32>) {
  // expected-error@+1 {{invalid properties {callee = @f::@g} for op func.call: Invalid attribute `callee` in property conversion: @f::@g}}
  "func.call"() <{callee = @f::@g}> : () -> ()
  return
}
// -----
func.func @f(%t: memref<2x3xf32>) {
  // expected-error@+1 {{invalid properties {value = 3 : i64} for op ub.poison: Invalid attribute `value` in property conversion: 3 : i64}}
  %0 = "ub.poison"() <{value = 3}> : () -> i32
  %1 = "arith.constant"() <{value = unit}> : () -> i32
  return
}
// -----
func.func @f(%t: index) {
  // expected-error@+1 {{invalid properties {lowerBoundMap = 3 : i64, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = affine_map<() -> (3)>} for op affine.for: Invalid attribute `lowerBoundMap` in property conversion: 3 : i64}}
  "affine.for"() <{lowerBoundMap = 3, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = affine_map<() -> (3)>}> ({
  ^bb0(%i: index):
    affine.yield
  }) : () -> ()
  return
}
