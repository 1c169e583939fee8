// test: canonical
// Complex numbers, where no part is rounded.

func.func @parts(%a: f32, %b: f32) -> (f32, f32) {
  %z = complex.create %a, %b : complex<f32>
  %re = complex.re %z : complex<f32>
  %im = complex.im %z : complex<f32>
  return %im, %re : f32, f32
}

func.func @known_parts() -> (f64, f64) {
  %z = complex.constant [2.5 : f64, -0.0 : f64] : complex<f64>
  %re = complex.re %z : complex<f64>
  %im = complex.im %z : complex<f64>
  return %re, %im : f64, f64
}

func.func @put_together(%z: complex<f32>, %w: complex<f32>) -> (complex<f32>, complex<f32>, complex<f32>) {
  %re = complex.re %z : complex<f32>
  %im = complex.im %z : complex<f32>
  %other = complex.im %w : complex<f32>
  %same = complex.create %re, %im : complex<f32>
  %exchanged = complex.create %im, %re : complex<f32>
  %mixed = complex.create %re, %other : complex<f32>
  return %same, %exchanged, %mixed : complex<f32>, complex<f32>, complex<f32>
}

func.func @twice(%z: complex<f32>) -> (complex<f32>, complex<f32>, complex<f32>) {
  %n = complex.neg %z : complex<f32>
  %nn = complex.neg %n : complex<f32>
  %c = complex.conj %z : complex<f32>
  %cc = complex.conj %c : complex<f32>
  %cn = complex.conj %n : complex<f32>
  return %nn, %cc, %cn : complex<f32>, complex<f32>, complex<f32>
}

func.func @nothing(%z: complex<f32>) -> (complex<f32>, complex<f32>) {
  %plus = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %minus = complex.constant [-0.0 : f32, -0.0 : f32] : complex<f32>
  %a = complex.add %z, %minus : complex<f32>
  %b = complex.sub %z, %plus : complex<f32>
  return %a, %b : complex<f32>, complex<f32>
}

// differs: @signs_of_zeros: mlir-opt loses the sign of a zero
func.func @signs_of_zeros(%z: complex<f32>) -> (complex<f32>, complex<f32>) {
  %plus = complex.constant [0.0 : f32, -0.0 : f32] : complex<f32>
  %minus = complex.constant [-0.0 : f32, 0.0 : f32] : complex<f32>
  %a = complex.add %z, %plus : complex<f32>
  %b = complex.sub %z, %minus : complex<f32>
  return %a, %b : complex<f32>, complex<f32>
}

// differs: @roundings: mlir-opt takes a rounded sum for an exact one
func.func @roundings(%z: complex<f32>, %w: complex<f32>) -> complex<f32> {
  %d = complex.sub %z, %w : complex<f32>
  %s = complex.add %d, %w : complex<f32>
  return %s : complex<f32>
}

func.func @bits(%z: complex<f32>, %i: i64, %w: complex<f64>) -> (complex<f32>, i64, i64, complex<f64>) {
  %a = complex.bitcast %z : complex<f32> to i64
  %b = complex.bitcast %a : i64 to complex<f32>
  %c = complex.bitcast %i : i64 to complex<f32>
  %d = complex.bitcast %c : complex<f32> to i64
  %e = complex.bitcast %w : complex<f64> to complex<f64>
  return %b, %d, %a, %e : complex<f32>, i64, i64, complex<f64>
}
