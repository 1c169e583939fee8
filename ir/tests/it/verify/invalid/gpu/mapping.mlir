// expected-error-re@+1 {{expected {{.}}<}}
func.func private @f() attributes {test.a = #gpu<thread x>}
// -----
// expected-error-re@+1 {{expected {{.}}<}}
func.func private @f() attributes {test.a = #gpu.block}
// -----
// expected-error-re@+1 {{expected {{.}}>}}
func.func private @f() attributes {test.a = #gpu.thread<x, y>}
// -----
// expected-error-re@+1 {{expected {{.}},}}
func.func private @f() attributes {test.a = #gpu.loop_dim_map<processor = block_x, map = (d0) -> (d0)>}
// -----
// expected-error@+1 {{duplicate or unknown struct parameter name: step}}
func.func private @f() attributes {test.a = #gpu.loop_dim_map<step = block_x>}
