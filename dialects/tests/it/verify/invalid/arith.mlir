// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Invariants of arith operations.

%a = "x"() : () -> i32
// expected-error@+1 {{'arith.extsi' op operand type 'i32' and result type 'i32' are cast incompatible}}
%0 = arith.extsi %a : i32 to i32

// -----

%a = "x"() : () -> i32
// expected-error@+1 {{'arith.extui' op operand type 'i32' and result type 'i16' are cast incompatible}}
%0 = arith.extui %a : i32 to i16

// -----

%a = "x"() : () -> i32
// expected-error@+1 {{'arith.trunci' op operand type 'i32' and result type 'i32' are cast incompatible}}
%0 = arith.trunci %a : i32 to i32

// -----

%a = "x"() : () -> f32
// expected-error@+1 {{'arith.truncf' op operand type 'f32' and result type 'f64' are cast incompatible}}
%0 = arith.truncf %a : f32 to f64

// -----

%a = "x"() : () -> f32
// expected-error@+1 {{'arith.extf' op operand type 'f32' and result type 'f16' are cast incompatible}}
%0 = arith.extf %a : f32 to f16

// -----

%a = "x"() : () -> f16
// expected-error@+1 {{'arith.extf' op operand type 'f16' and result type 'bf16' are cast incompatible}}
%0 = arith.extf %a : f16 to bf16

// -----

%a = "x"() : () -> i32
// expected-error@+1 {{'arith.index_cast' op operand type 'i32' and result type 'i64' are cast incompatible}}
%0 = arith.index_cast %a : i32 to i64

// -----

%a = "x"() : () -> index
// expected-error@+1 {{'arith.index_cast' op operand type 'index' and result type 'index' are cast incompatible}}
%0 = arith.index_cast %a : index to index

// -----

%a = "x"() : () -> i32
// expected-error@+1 {{'arith.bitcast' op operand type 'i32' and result type 'i64' are cast incompatible}}
%0 = arith.bitcast %a : i32 to i64

// -----

%a = "x"() : () -> index
// expected-error@+1 {{'arith.bitcast' op operand #0 must be signless-integer-or-float-like or memref of signless-integer or float, but got 'index'}}
%0 = arith.bitcast %a : index to f64

// -----

%a = "x"() : () -> i32
// expected-error@+1 {{'arith.sitofp' op result #0 must be floating-point-like, but got 'i32'}}
%0 = arith.sitofp %a : i32 to i32

// -----

%a = "x"() : () -> vector<2xi32>
// expected-error@+1 {{'arith.sitofp' op requires the same shape for all operands and results}}
%0 = arith.sitofp %a : vector<2xi32> to vector<3xf32>

// -----

%a = "x"() : () -> vector<2xi32>
// expected-error@+1 {{'arith.sitofp' op requires the same shape for all operands and results}}
%0 = arith.sitofp %a : vector<2xi32> to f32

// -----

// expected-error@+1 {{'arith.constant' op failed to verify that all of {value, result} have same type}}
%0 = "arith.constant"() <{value = 1 : i32}> : () -> i64

// -----

// expected-error@+1 {{'arith.constant' op value must be an integer, float, or elements attribute}}
%0 = "arith.constant"() <{value = "x"}> : () -> none

// -----

// expected-error@+1 {{'arith.constant' op integer return type must be signless}}
%0 = "arith.constant"() <{value = 1: si32}> : () -> si32

// -----

%c = "x"() : () -> i1 %a = "x"() : () -> i32 %b = "x"() : () -> f32
// expected-error@+1 {{'arith.select' op failed to verify that all of {true_value, false_value, result} have same type}}
%0 = "arith.select"(%c,%a,%b) : (i1,i32,f32)->i32

// -----

%a = "x"() : () -> i32
// expected-error@+1 {{'arith.cmpi' op result #0 must be bool-like, but got 'i32'}}
%0 = "arith.cmpi"(%a,%a) <{predicate=2:i64}> : (i32,i32)->i32

// -----

%a = "x"() : () -> vector<2xi32>
// expected-error@+1 {{'arith.cmpi' op failed to verify that result type has i1 element type and same shape as operands}}
%0 = "arith.cmpi"(%a,%a) <{predicate=2:i64}> : (vector<2xi32>,vector<2xi32>)->i1

// -----

%a = "x"() : () -> i32 %b = "x"() : () -> i64
// expected-error@+1 {{'arith.cmpi' op requires all operands to have the same type}}
%0 = "arith.cmpi"(%a,%b) <{predicate=1:i64}> : (i32,i64)->i1

// -----

%a = "x"() : () -> i32 %b = "x"() : () -> i64
// expected-error@+1 {{'arith.addi' op requires the same type for all operands and results}}
%0 = "arith.addi"(%a,%b) : (i32,i64)->i32

// -----

%a = "x"() : () -> i32
// expected-error@+1 {{'arith.addi' op requires the same type for all operands and results}}
%0 = "arith.addi"(%a,%a) : (i32,i32)->i64

// -----

%a = "x"() : () -> i32 %0,
// expected-error@+1 {{'arith.addui_extended' op result #1 must be bool-like, but got 'i32'}}
%1 = "arith.addui_extended"(%a,%a) : (i32,i32)->(i32, i32)

// -----

%a = "x"() : () -> i32 %0,
// expected-error@+1 {{'arith.addui_extended' op failed to verify that all of {lhs, rhs, sum} have same type}}
%1 = "arith.addui_extended"(%a,%a) : (i32,i32)->(i64, i1)

// -----

%a = "x"() : () -> vector<2xi32> %0,
// expected-error@+1 {{'arith.addui_extended' op if an operand is non-scalar, then all results must be non-scalar}}
%1 = "arith.addui_extended"(%a,%a) : (vector<2xi32>,vector<2xi32>)->(vector<2xi32>, i1)

// -----

%a = "x"() : () -> i32 %0,
// expected-error@+1 {{'arith.mulsi_extended' op failed to verify that all of {lhs, rhs, low, high} have same type}}
%1 = "arith.mulsi_extended"(%a,%a) : (i32,i32)->(i64, i32)

// -----

%a = "x"() : () -> f32
// expected-error@+1 {{'math.sqrt' op requires the same type for all operands and results}}
%0 = "math.sqrt"(%a) : (f32)->f64

// -----

%a = "x"() : () -> i32
// expected-error@+1 {{'math.sqrt' op operand #0 must be floating-point-like, but got 'i32'}}
%0 = "math.sqrt"(%a) : (i32)->i32

// -----

%a = "x"() : () -> f32 %b = "x"() : () -> i64
// expected-error@+1 {{'math.fpowi' op failed to verify that all of {lhs, result} have same type}}
%0 = "math.fpowi"(%a,%b) : (f32,i64)->f64

// -----

%a = "x"() : () -> f32
// expected-error@+1 {{'math.isnan' op result #0 must be bool-like, but got 'f64'}}
%0 = "math.isnan"(%a) : (f32)->f64

// -----

%a = "x"() : () -> f32
// expected-error@+1 {{'math.isnan' op failed to verify that result type has i1 element type and same shape as operands}}
%0 = "math.isnan"(%a) : (f32)->vector<1xi1>

// -----

%a = "x"() : () -> memref<2xi32>
// expected-error@+1 {{'arith.index_cast' op requires the same shape for all operands and results}}
%0 = arith.index_cast %a : memref<2xi32> to memref<3xindex>

// -----

%a = "x"() : () -> f32
// expected-error@+1 {{'arith.fptosi' op result #0 must be signless-fixed-width-integer-like, but got 'index'}}
%0 = arith.fptosi %a : f32 to index

// -----

%a = "x"() : () -> f8E5M2 %s = "y"() : () -> f8E8M0FNU
// expected-error@+1 {{'arith.scaling_extf' op operand types 'f8E5M2', 'f8E8M0FNU' and result type 'f8E5M2' are cast incompatible}}
%0 = arith.scaling_extf %a, %s : f8E5M2, f8E8M0FNU to f8E5M2

// -----

%a = "x"() : () -> complex<f32>
// expected-error@+1 {{'arith.addf' op operand #0 must be floating-point-like, but got 'complex<f32>'}}
%0 = "arith.addf"(%a,%a) : (complex<f32>,complex<f32>)->complex<f32>
