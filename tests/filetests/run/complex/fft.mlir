// The discrete Fourier transform of 8 numbers by radix-2 butterflies, in place: decimation in
// frequency, whose results stand in bit-reversed order.
//
// The input is 0, 1, …, 7. By hand: X(0) = 28, X(4) = -4, X(2) = -4 + 4i, X(6) = -4 - 4i,
// X(1) = -4 + 4(1 + sqrt 2)i, X(5) = -4 - 4(sqrt 2 - 1)i, X(3) and X(7) are the conjugates of X(5) and X(1).
//
// test: run --arg=iota
// expect: arg 0 = [28, 0, -4, 0, -4, 4, -4, -4, -4, 9.6568542, -4, -1.6568542, -4, 1.6568542, -4, -9.6568542] within 1e-5
memref.global constant @twiddles : memref<4xcomplex<f32>> =
  dense<[(1.0, 0.0), (0.70710678, -0.70710678), (0.0, -1.0), (-0.70710678, -0.70710678)]>
func.func @fft(%x: memref<8xcomplex<f32>>) {
  %w = memref.get_global @twiddles : memref<4xcomplex<f32>>
  affine.for %i = 0 to 4 {
    %a = affine.load %x[%i] : memref<8xcomplex<f32>>
    %b = affine.load %x[%i + 4] : memref<8xcomplex<f32>>
    %t = affine.load %w[%i] : memref<4xcomplex<f32>>
    %sum = complex.add %a, %b : complex<f32>
    %difference = complex.sub %a, %b : complex<f32>
    %turned = complex.mul %difference, %t : complex<f32>
    affine.store %sum, %x[%i] : memref<8xcomplex<f32>>
    affine.store %turned, %x[%i + 4] : memref<8xcomplex<f32>>
  }
  affine.for %k = 0 to 2 {
    affine.for %i = 0 to 2 {
      %a = affine.load %x[%k * 4 + %i] : memref<8xcomplex<f32>>
      %b = affine.load %x[%k * 4 + %i + 2] : memref<8xcomplex<f32>>
      %t = affine.load %w[%i * 2] : memref<4xcomplex<f32>>
      %sum = complex.add %a, %b : complex<f32>
      %difference = complex.sub %a, %b : complex<f32>
      %turned = complex.mul %difference, %t : complex<f32>
      affine.store %sum, %x[%k * 4 + %i] : memref<8xcomplex<f32>>
      affine.store %turned, %x[%k * 4 + %i + 2] : memref<8xcomplex<f32>>
    }
  }
  affine.for %k = 0 to 4 {
    %a = affine.load %x[%k * 2] : memref<8xcomplex<f32>>
    %b = affine.load %x[%k * 2 + 1] : memref<8xcomplex<f32>>
    %sum = complex.add %a, %b : complex<f32>
    %difference = complex.sub %a, %b : complex<f32>
    affine.store %sum, %x[%k * 2] : memref<8xcomplex<f32>>
    affine.store %difference, %x[%k * 2 + 1] : memref<8xcomplex<f32>>
  }
  return
}
