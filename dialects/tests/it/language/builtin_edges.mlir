// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
"t.layouts"() : () -> (tensor<4xf32,>, memref<4xf32, affine_map<(d0) -> (d0 + 1)>, affine_map<(d0) -> (d0)>>, memref<4xf32, 0 : i32>)
"t.elements"() {a = dense<[1, 2]> : memref<2xi32>, b = sparse<[[0, 0]], [1]> : memref<3x4xi32>, c = sparse<[], []> : tensor<0xi32>} : () -> ()
// -----
"t.properties"() <"not a dictionary"> {a = @x: :@y} : () -> ()
"t.empty"() <{}> : () -> ()
// -----
#set = affine_set<(d0) : (d0 == 0)>
"t.aliases"() {a = #set, b = affine_map<(d0) -> (d0 - (d0 floordiv 4) * 4)>, c = loc("here"), d = distinct[7]<"x">} : () -> ()
// -----
// Without a name it is no symbol, whatever its visibility says.
"builtin.module"() ({
^bb0:
}) {sym_visibility = "other"} : () -> ()
// -----
"a.truth"() {a = dense<true> : tensor<2xui1>, b = dense<[true, false]> : tensor<2xui1>, c = dense<[true, false]> : tensor<2xsi1>} : () -> ()
// -----
"a.ties"() {a = 0.001953125 : f16, b = 0.0009765625 : bf16, c = 1.0e-320, d = 0.3 : f80, e = 0.6 : f128, f = 2.5 : f80} : () -> ()
// -----
// Arguments' attributes get no alias from where they stand.
func.func @aliases(%a: i32 {x.map = affine_map<(d0) -> (d0 * 7)>, x.loc = loc("here")}) {
  return
}
func.func private @declared(i32 {x.map = affine_map<(d0) -> (d0 * 5)>})
