// A product of complex matrices, the sum in a complex iter_arg. With A(i, k) = 2i + k and the
// B(k, j) = (2k + j) * i that the program makes of it: A B = i * [[2, 3], [6, 11]].
//
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [0, 2, 0, 3, 0, 6, 0, 11]
func.func @matmul(%a: memref<2x2xcomplex<f32>>, %c: memref<2x2xcomplex<f32>>) {
  %b = memref.alloc() : memref<2x2xcomplex<f32>>
  %i = complex.constant [0.0 : f32, 1.0 : f32] : complex<f32>
  %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  affine.for %x = 0 to 2 {
    affine.for %y = 0 to 2 {
      %v = affine.load %a[%x, %y] : memref<2x2xcomplex<f32>>
      %w = complex.mul %v, %i : complex<f32>
      affine.store %w, %b[%x, %y] : memref<2x2xcomplex<f32>>
    }
  }
  affine.for %x = 0 to 2 {
    affine.for %y = 0 to 2 {
      %sum = affine.for %k = 0 to 2 iter_args(%before = %zero) -> (complex<f32>) {
        %v = affine.load %a[%x, %k] : memref<2x2xcomplex<f32>>
        %w = affine.load %b[%k, %y] : memref<2x2xcomplex<f32>>
        %p = complex.mul %v, %w : complex<f32>
        %after = complex.add %before, %p : complex<f32>
        affine.yield %after : complex<f32>
      }
      affine.store %sum, %c[%x, %y] : memref<2x2xcomplex<f32>>
    }
  }
  memref.dealloc %b : memref<2x2xcomplex<f32>>
  return
}
