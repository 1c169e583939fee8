// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// expected-error@+1 {{dialect 'arith' provides no type parsing hook}}
"test.op"() : () -> (!arith.flags)

// -----

// expected-error@+1 {{dialect 'func' provides no attribute parsing hook}}
"test.op"() {a = #func.flags} : () -> ()

// -----

// expected-error@+1 {{unknown attribute `flags` in dialect `arith`}}
"test.op"() {a = #arith.flags<none>} : () -> ()

// -----

// expected-error@+1 {{unbalanced '(' character in pretty dialect name}}
"test.op"() : () -> (!foo.bar<(>)

// -----

// expected-error@+1 {{unbalanced '<' character in pretty dialect name}}
"test.op"() : () -> (!foo.bar<]>)

// -----

// expected-error@+1 {{unbalanced '[' character in pretty dialect name}}
"test.op"() : () -> (!foo.bar<{}[)

// -----

// expected-error@+1 {{MMAMatrixType must have exactly two dimensions}}
"test.op"() : () -> (!gpu.mma_matrix<16xf16, "AOp">)

// -----

// expected-error@+1 {{operand expected to be one of AOp, BOp or COp}}
"test.op"() : () -> (!gpu.mma_matrix<16x16xf16, "DOp">)

// -----

// expected-error@+1 {{MMAMatrixType elements must be SI8, UI8, I32, F16, F32, or F64}}
"test.op"() : () -> (!gpu.mma_matrix<16x16xi8, "AOp">)
