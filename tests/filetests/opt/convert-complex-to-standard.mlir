// Signatures, calls, loops, branches, memory and constants in parts; flags go to the steps, those on
// NaNs and regrouping only where there is one step.
//
// test: opt --convert-complex-to-standard
memref.global "private" constant @pair : memref<2xcomplex<f32>> = dense<[(1.0, 2.0), (3.0, 4.0)]>
memref.global "private" @same : memref<2xcomplex<f32>> = dense<(1.0, 2.0)>
memref.global "private" @zeros : memref<2xcomplex<f32>> = dense<(0.0, 0.0)>
func.func private @callee(%z: complex<f32> {llvm.noundef}, %n: index) -> (complex<f32>, i1) {
  %w = complex.mul %z, %z fastmath<fast> : complex<f32>
  %equal = complex.eq %z, %w : complex<f32>
  return %w, %equal : complex<f32>, i1
}
func.func @f(%m: memref<?xcomplex<f32>, strided<[?], offset: 3>>, %z: complex<f32>, %n: index) -> complex<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = memref.get_global @pair : memref<2xcomplex<f32>>
  %first = memref.load %g[%c0] : memref<2xcomplex<f32>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %first) -> (complex<f32>) {
    %v = memref.load %m[%i] : memref<?xcomplex<f32>, strided<[?], offset: 3>>
    %s:2 = func.call @callee(%v, %i) : (complex<f32>, index) -> (complex<f32>, i1)
    %t = arith.select %s#1, %s#0, %acc : complex<f32>
    scf.yield %t : complex<f32>
  }
  %cut = memref.subview %m[%c1] [2] [1]
    : memref<?xcomplex<f32>, strided<[?], offset: 3>> to memref<2xcomplex<f32>, strided<[?], offset: ?>>
  memref.store %r, %cut[%c1] : memref<2xcomplex<f32>, strided<[?], offset: ?>>
  %angle = complex.angle %r fastmath<nnan,contract> : complex<f32>
  %q = complex.create %angle, %angle : complex<f32>
  return %q : complex<f32>
}
