// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%c: i1, %x: i32) {
 // expected-error@+1 {{expects number of branch weights to match number of successors: 1 vs 2}}
 cf.cond_br %c weights([3]), ^bb1, ^bb1
^bb1:
 return
}
// -----
func.func @f(%c: i1, %x: i32) {
 // expected-error@+1 {{branch weights cannot all be zero}}
 cf.cond_br %c weights([0, 0]), ^bb1, ^bb1
^bb1:
 return
}
// -----
func.func @f(%c: i1, %x: i32) {
 // expected-error@+1 {{branch has 1 operands for successor #0, but target block has 0}}
 cf.br ^bb1(%x : i32)
^bb1:
 return
}
// -----
func.func @f(%c: i1, %x: i32) {
 // expected-error@+1 {{type mismatch for bb argument #0 of successor #0}}
 cf.br ^bb1(%x : i32)
^bb1(%y: f32):
 return
}
// -----
func.func @f(%c: i1, %x: i8) {
 // expected-error@+1 {{'cf.switch' op 'flag' type ('i8') should match case value type ('i32')}}
 "cf.switch"(%x)[^bb1, ^bb1] <{case_operand_segments = array<i32: 0>, case_values = dense<1> : tensor<1xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i8) -> ()
^bb1:
 return
}
// -----
func.func @f(%c: i1) {
 // expected-error@+1 {{'cf.cond_br' op requires 2 successors but found 1}}
 "cf.cond_br"(%c)[^bb1] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^bb1:
 return
}
// -----
func.func @f(%x: i32) {
 // expected-error@+1 {{'cf.switch' op caseOperands count (1) does not match with the total size (3) specified in attribute 'case_operand_segments'}}
 "cf.switch"(%x, %x)[^bb1, ^bb2] <{case_operand_segments = array<i32: 3>, case_values = dense<1> : tensor<1xi32>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (i32, i32) -> ()
^bb1:
 return
^bb2(%y: i32):
 return
}
