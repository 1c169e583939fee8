// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @binary(%c: complex<f64>, %i: i32, %f: f64, %bits: i128) {
  %0 = complex.add %c, %c : complex<f64>
  %1 = complex.atan2 %c, %c : complex<f64>
  %2 = complex.div %c, %c fastmath<arcp> : complex<f64>
  %3 = complex.mul %c, %c : complex<f64>
  %4 = complex.pow %c, %c : complex<f64>
  %5 = complex.sub %c, %c {a} : complex<f64>
  %6 = complex.eq %c, %c : complex<f64>
  %7 = complex.neq %c, %c : complex<f64>
  %8 = complex.powi %c, %i : complex<f64>, i32
  %9 = complex.powi %c, %i fastmath<none> : complex<f64>, i32
  %10 = complex.create %f, %f : complex<f64>
  %11 = complex.bitcast %c : complex<f64> to i128
  %12 = complex.bitcast %bits : i128 to complex<f64>
  %13 = complex.bitcast %f : f64 to f64
  %14 = complex.bitcast %f : f64 to complex<i32>
  return
}
