// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @unary(%c: complex<f32>, %d: complex<bf16>) {
  %0 = complex.abs %c : complex<f32>
  %1 = complex.abs %d fastmath<nnan,contract> : complex<bf16>
  %2 = complex.angle %c : complex<f32>
  %3 = complex.conj %c : complex<f32>
  %4 = complex.cos %c : complex<f32>
  %5 = complex.exp %c : complex<f32>
  %6 = complex.expm1 %c : complex<f32>
  %7 = complex.im %c : complex<f32>
  %8 = complex.log %c fastmath<fast> {a} : complex<f32>
  %9 = complex.log1p %c : complex<f32>
  %10 = complex.neg %c : complex<f32>
  %11 = complex.re %c : complex<f32>
  %12 = complex.rsqrt %c : complex<f32>
  %13 = complex.sign %c : complex<f32>
  %14 = complex.sin %c : complex<f32>
  %15 = complex.sqrt %c : complex<f32>
  %16 = complex.tan %c : complex<f32>
  %17 = complex.tanh %c : complex<f32>
  return
}
