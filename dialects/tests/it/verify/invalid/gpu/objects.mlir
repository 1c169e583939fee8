// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// expected-error@+1 {{the object index must be positive}}
func.func private @f() attributes {test.a = #gpu.select_object<-1>}
// -----
// expected-error@+1 {{the object index must be positive}}
func.func private @f() attributes {test.a = #gpu.select_object<true>}
// -----
// expected-error@+1 {{the target attribute must be a GPU Target attribute}}
func.func private @f() attributes {test.a = #gpu.select_object<"x">}
// -----
// expected-error@+1 {{the target attribute must implement or promise the `gpu::TargetAttrInterface`}}
func.func private @f() attributes {test.a = #gpu.object<1, "y">}
// -----
// expected-error@+1 {{expected keyword for GPU object format}}
func.func private @f() attributes {test.a = #gpu.object<#nvvm.target, text = "y">}
// -----
// expected-error-re@+1 {{expected {{.}},}}
func.func private @f() attributes {test.a = #gpu.object<#nvvm.target>}
// -----
// expected-error-re@+1 {{expected {{.}}>}}
func.func private @f() attributes {test.a = #gpu.object<#nvvm.target, bin = "x", >}
// -----
// expected-error@+1 {{expected keyword for GPU object format}}
func.func private @f() attributes {test.a = #gpu.object<#nvvm.target, kernels = <>, properties = {}, "x">}
// -----
// expected-error@+1 {{expected all kernels to be uniquely named}}
func.func private @f() attributes {test.a = #gpu.kernel_table<[<"b", () -> ()>, <"a", () -> ()>, <"b", i32>]>}
// -----
// expected-error@+1 {{the kernel name can't be empty}}
func.func private @f() attributes {test.a = #gpu.kernel_metadata<"", () -> ()>}
// -----
// expected-error@+1 {{all attributes in the array must be a dictionary attribute}}
func.func private @f() attributes {test.a = #gpu.kernel_metadata<"b", (i32) -> (), arg_attrs = [1]>}
// -----
// expected-error@+1 {{duplicate or unknown struct parameter name: args}}
func.func private @f() attributes {test.a = #gpu.kernel_metadata<"b", (i32) -> (), args = []>}
