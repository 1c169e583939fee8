// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Invariants of intrinsic calls and extractvalue.

func.func @f(%i: i32) {
  // expected-error@+1 {{'llvm.call_intrinsic' op intrinsic name must start with 'llvm.'}}
  llvm.call_intrinsic "sqrt"(%i) : (i32) -> ()
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{'llvm.call_intrinsic' op op_bundle_operands count (0) does not match with the total size (1) specified in attribute 'op_bundle_sizes'}}
  "llvm.call_intrinsic"(%i) {intrin = "llvm.foo", operandSegmentSizes = array<i32: 1, 0>, op_bundle_sizes = array<i32: 1>} : (i32) -> ()
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{'llvm.call_intrinsic' op requires attribute 'op_bundle_sizes'}}
  "llvm.call_intrinsic"(%i) {intrin = "llvm.foo", operandSegmentSizes = array<i32: 1, 0>} : (i32) -> ()
  return
}

// -----

func.func @f(%m: memref<1xi32>) {
  // expected-error@+1 {{'llvm.call_intrinsic' op operand #0 must be variadic of LLVM dialect-compatible type, but got 'memref<1xi32>'}}
  llvm.call_intrinsic "llvm.foo"(%m) : (memref<1xi32>) -> ()
  return
}

// -----

func.func @f(%s: !llvm.struct<(i16, i1)>) {
  // expected-error@+1 {{'llvm.extractvalue' op Type mismatch: extracting from '!llvm.struct<(i16, i1)>' should produce 'i16' but this op returns 'i32'}}
  %0 = "llvm.extractvalue"(%s) {position = array<i64: 0>} : (!llvm.struct<(i16, i1)>) -> i32
  return
}

// -----

func.func @f(%s: !llvm.struct<(i16, i1)>) {
  // expected-error@+1 {{'llvm.extractvalue' op expected LLVM IR structure/array type, got: 'i1'}}
  %0 = "llvm.extractvalue"(%s) {position = array<i64: 1, 0>} : (!llvm.struct<(i16, i1)>) -> i32
  return
}

// -----

func.func @f(%a: !llvm.array<4 x i16>) {
  // expected-error@+1 {{'llvm.extractvalue' op position out of bounds: 4}}
  %0 = "llvm.extractvalue"(%a) {position = array<i64: 4>} : (!llvm.array<4 x i16>) -> i16
  return
}

// -----

func.func @f(%s: !llvm.struct<(i16, i1)>) {
  // expected-error@+1 {{'llvm.extractvalue' op requires attribute 'position'}}
  %0 = "llvm.extractvalue"(%s) : (!llvm.struct<(i16, i1)>) -> i16
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{'llvm.extractvalue' op operand #0 must be LLVM aggregate type, but got 'i32'}}
  %0 = "llvm.extractvalue"(%i) {position = array<i64: 0>} : (i32) -> i32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{operand bundle tag must be a StringAttr}}
  "llvm.call_intrinsic"(%i, %i) {intrin = "llvm.foo", operandSegmentSizes = array<i32: 1, 1>, op_bundle_sizes = array<i32: 1>, op_bundle_tags = [1]} : (i32, i32) -> ()
  return
}
