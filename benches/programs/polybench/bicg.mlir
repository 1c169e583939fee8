// test: run
// bicg: s = transposed A times r, q = A times p, as PolyBench writes it: one nest for both.
//     s[j] = sum over i of r[i] * A[i, j];   q[i] = sum over j of A[i, j] * p[j]
func.func @bicg(%A: memref<42x38xf32>, %s: memref<38xf32>, %q: memref<42xf32>, %p: memref<38xf32>, %r: memref<42xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 38 {
    affine.store %zero, %s[%i] : memref<38xf32>
  }
  affine.for %i = 0 to 42 {
    affine.store %zero, %q[%i] : memref<42xf32>
    affine.for %j = 0 to 38 {
      %s0 = affine.load %s[%j] : memref<38xf32>
      %ri = affine.load %r[%i] : memref<42xf32>
      %a = affine.load %A[%i, %j] : memref<42x38xf32>
      %ra = arith.mulf %ri, %a : f32
      %s1 = arith.addf %s0, %ra : f32
      affine.store %s1, %s[%j] : memref<38xf32>
      %q0 = affine.load %q[%i] : memref<42xf32>
      %pj = affine.load %p[%j] : memref<38xf32>
      %ap = arith.mulf %a, %pj : f32
      %q1 = arith.addf %q0, %ap : f32
      affine.store %q1, %q[%i] : memref<42xf32>
    }
  }
  return
}
