// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
// Function types as attributes: no map of the past, whatever they are made of.
"t.types"() {a = (f8E8M0FNU) -> index, b = (tf32, i1) -> (), c = (ui7, index) -> (si3), d = () -> (index), e = (bf16) -> (bf16), f = (f4E2M1FN) -> (), g = (none, si64) -> none, h = () -> ()} : () -> ()
"t.after"() {a = affine_map<(d0) -> (d0 floordiv 2)>} : () -> ()
// -----
// An alias stands for a function type after an operation, too.
!nothing = () -> ()
!one = (f32) -> f32
!reshaped = (memref<*xf32>, memref<1xi32>) -> memref<?xf32>
func.func @called(%x: f32, %m: memref<*xf32>, %shape: memref<1xi32>) {
  call @nothing() : !nothing
  %0 = "a.made"(%x) : !one
  %1 = gpu.subgroup_reduce add %0 : !one
  %2 = gpu.all_reduce add %1 {} : !one
  %3 = memref.reshape %m(%shape) : !reshaped
  %4 = scf.while (%a = %2) : !one {
    %c = arith.constant true
    scf.condition(%c) %a : f32
  } do {
  ^bb0(%b: f32):
    scf.yield %b : f32
  }
  return
}
func.func private @nothing()
