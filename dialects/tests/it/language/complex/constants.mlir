// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @constants() {
  %0 = complex.constant [1.5 : f32, -2.0 : f32] : complex<f32>
  %1 = complex.constant [1 : i8, -2 : i8] {a} : complex<i8>
  "a.b"() {a = #complex.number<:f32 1.5, -2.0>, b = #complex.number<:bf16 1.01, 1.1>,
    c = #complex.number<:f16 0x3FF0000000000000, 1.0e3> : complex<f16>} : () -> ()
  return
}
