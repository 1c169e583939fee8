// Special values, by Annex G of C17 where it names them: 1/0, inf/2, 1/inf, sqrt(-inf), exp(-inf + i inf),
// log 0, |inf + i nan|, tanh(inf + i), pow(0, 2), sign 0, 1/z of a number whose square overflows, its
// absolute value and its square root, and powi of -2.
//
// |z| of 3·2¹⁰⁰⁰ + 4·2¹⁰⁰⁰i is 5·2¹⁰⁰⁰, of which 2¹⁰⁰⁰ is left to divide by; 1/z times 25·2¹⁰⁰⁰ is 3 - 4i.
// sqrt(3 + 4i) = 2 + i, so sqrt(z) / 2⁵⁰⁰ is that. (1 + i)⁻² = -i/2.
//
// test: run --arg=zeros
// expect: arg 0 = [inf, nan, inf, nan, 0, 0, 0, inf, 0, 0, -inf, 0, inf, 0, 1, 0, 0, 0, 0, 0, 3, -4, 5, 0, 2, 1, 0, -0.5] within 1e-12
func.func @special(%out: memref<14xcomplex<f64>>) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %inf = arith.constant 0x7FF0000000000000 : f64
  %minus_inf = arith.constant 0xFFF0000000000000 : f64
  %nan = arith.constant 0x7FF8000000000000 : f64
  %x3 = arith.constant 3.214525821558802e+301 : f64
  %x4 = arith.constant 4.2860344287450693e+301 : f64
  %p1000 = arith.constant 1.0715086071862673e+301 : f64
  %p500 = arith.constant 3.273390607896142e+150 : f64
  %c25 = arith.constant 25.0 : f64
  %minus_two = arith.constant -2 : i32
  %z0 = complex.constant [0.0, 0.0] : complex<f64>
  %z1 = complex.constant [1.0, 0.0] : complex<f64>
  %z2 = complex.constant [2.0, 0.0] : complex<f64>
  %z11 = complex.constant [1.0, 1.0] : complex<f64>
  %infinite = complex.create %inf, %zero : complex<f64>
  %left = complex.create %minus_inf, %zero : complex<f64>
  %gone = complex.create %minus_inf, %inf : complex<f64>
  %mixed = complex.create %inf, %nan : complex<f64>
  %right = complex.create %inf, %one : complex<f64>
  %big = complex.create %x3, %x4 : complex<f64>
  %0 = complex.div %z1, %z0 : complex<f64>
  affine.store %0, %out[0] : memref<14xcomplex<f64>>
  %1 = complex.div %infinite, %z2 : complex<f64>
  affine.store %1, %out[1] : memref<14xcomplex<f64>>
  %2 = complex.div %z1, %infinite : complex<f64>
  affine.store %2, %out[2] : memref<14xcomplex<f64>>
  %3 = complex.sqrt %left : complex<f64>
  affine.store %3, %out[3] : memref<14xcomplex<f64>>
  %4 = complex.exp %gone : complex<f64>
  affine.store %4, %out[4] : memref<14xcomplex<f64>>
  %5 = complex.log %z0 : complex<f64>
  affine.store %5, %out[5] : memref<14xcomplex<f64>>
  %a6 = complex.abs %mixed : complex<f64>
  %6 = complex.create %a6, %zero : complex<f64>
  affine.store %6, %out[6] : memref<14xcomplex<f64>>
  %7 = complex.tanh %right : complex<f64>
  affine.store %7, %out[7] : memref<14xcomplex<f64>>
  %8 = complex.pow %z0, %z2 : complex<f64>
  affine.store %8, %out[8] : memref<14xcomplex<f64>>
  %9 = complex.sign %z0 : complex<f64>
  affine.store %9, %out[9] : memref<14xcomplex<f64>>
  %i10 = complex.div %z1, %big : complex<f64>
  %r10 = complex.re %i10 : complex<f64>
  %m10 = complex.im %i10 : complex<f64>
  %r10s = arith.mulf %r10, %p1000 : f64
  %m10s = arith.mulf %m10, %p1000 : f64
  %r10t = arith.mulf %r10s, %c25 : f64
  %m10t = arith.mulf %m10s, %c25 : f64
  %10 = complex.create %r10t, %m10t : complex<f64>
  affine.store %10, %out[10] : memref<14xcomplex<f64>>
  %a11 = complex.abs %big : complex<f64>
  %b11 = arith.divf %a11, %p1000 : f64
  %11 = complex.create %b11, %zero : complex<f64>
  affine.store %11, %out[11] : memref<14xcomplex<f64>>
  %s12 = complex.sqrt %big : complex<f64>
  %r12 = complex.re %s12 : complex<f64>
  %m12 = complex.im %s12 : complex<f64>
  %r12s = arith.divf %r12, %p500 : f64
  %m12s = arith.divf %m12, %p500 : f64
  %12 = complex.create %r12s, %m12s : complex<f64>
  affine.store %12, %out[12] : memref<14xcomplex<f64>>
  %13 = complex.powi %z11, %minus_two : complex<f64>, i32
  affine.store %13, %out[13] : memref<14xcomplex<f64>>
  return
}
