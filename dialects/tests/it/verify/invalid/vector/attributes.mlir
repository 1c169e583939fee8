// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// expected-error@+1 {{unknown attribute `sort` in dialect `vector`}}
"test.op"() {a = #vector.sort<add>} : () -> ()

// -----

// expected-error@+1 {{dialect 'vector' provides no type parsing hook}}
"test.op"() : () -> (!vector.lane)
