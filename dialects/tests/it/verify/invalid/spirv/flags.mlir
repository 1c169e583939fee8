// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @separated_by_commas(%p: !spirv.ptr<f32, Function>) {
  // expected-error@+1 {{invalid memory_access attribute specification: "Volatile,Aligned"}}
  %0 = spirv.Load "Function" %p ["Volatile,Aligned", 4] : f32
  return
}
// -----
// expected-error-re@+1 {{expected {{.}}>}}
func.func private @g() attributes {a = #spirv.memory_access<Volatile, Aligned>}
