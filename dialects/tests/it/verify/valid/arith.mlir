// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// What the invariants of arith operations allow.

%a = "x"() : () -> i32 %0 = arith.bitcast %a : i32 to i32

// -----

%0 = "arith.constant"() <{value = dense<1> : tensor<2xsi32>}> : () -> tensor<2xsi32>

// -----

%c = "x"() : () -> i1 %a = "x"() : () -> vector<3xi32> %0 = "arith.select"(%c,%a,%a) : (i1,vector<3xi32>,vector<3xi32>)->vector<3xi32>

// -----

%c = "x"() : () -> i1 %a = "x"() : () -> memref<3xi32> %0 = "arith.select"(%c,%a,%a) : (i1,memref<3xi32>,memref<3xi32>)->memref<3xi32>

// -----

%a = "x"() : () -> memref<2xi32> %0 = arith.index_cast %a : memref<2xi32> to memref<2xindex>

// -----

%a = "x"() : () -> vector<2xi32> %0 = arith.bitcast %a : vector<2xi32> to vector<2xf32>

// -----

%a = "x"() : () -> f32 %0 = "arith.addf"(%a,%a) {fastmath = #arith.fastmath<none>} : (f32,f32)->f32
