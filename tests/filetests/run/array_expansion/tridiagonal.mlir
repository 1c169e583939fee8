// A batch of tridiagonal systems by Thomas's algorithm, with two rows of scratch of open size that each iteration allocates:
// -x[j-1] + (4 + d[j]/8) x[j] - x[j+1] = d[j]. The values are NumPy's (linalg.solve).
// test: run --arg=iota[5x6] --arg=zeros[5x6]
// expect: arg 1 = [0.12074674, 0.48298697, 0.87157451, 1.2212047, 1.471196, 1.3991775, 1.7550886, 2.3366708, 2.6361818, 2.8442381, 2.9405384, 2.5935885, 2.8127521, 3.4701363, 3.7067647, 3.8437607, 3.8753296, 3.4082171, 3.55716, 4.2322498, 4.4234322, 4.5200598, 4.5219636, 4.0031947, 4.1112231, 4.778562, 4.9360309, 5.0076622, 4.9954781, 4.4584234] within 1e-5
func.func @thomas(%d: memref<?x?xf32>, %x: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %off = arith.constant -1.0 : f32
  %four = arith.constant 4.0 : f32
  %eighth = arith.constant 0.125 : f32
  %m = memref.dim %d, %c0 : memref<?x?xf32>
  %n = memref.dim %d, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    %cp = memref.alloc(%n) : memref<?xf32>
    %dp = memref.alloc(%n) : memref<?xf32>
    %d0 = affine.load %d[%i, 0] : memref<?x?xf32>
    %e0 = arith.mulf %d0, %eighth : f32
    %b0 = arith.addf %four, %e0 : f32
    %q0 = arith.divf %off, %b0 : f32
    %r0 = arith.divf %d0, %b0 : f32
    affine.store %q0, %cp[0] : memref<?xf32>
    affine.store %r0, %dp[0] : memref<?xf32>
    affine.for %j = 1 to %n {
      %dj = affine.load %d[%i, %j] : memref<?x?xf32>
      %ej = arith.mulf %dj, %eighth : f32
      %bj = arith.addf %four, %ej : f32
      %cq = affine.load %cp[%j - 1] : memref<?xf32>
      %dq = affine.load %dp[%j - 1] : memref<?xf32>
      %w = arith.addf %bj, %cq : f32
      %q = arith.divf %off, %w : f32
      %v = arith.addf %dj, %dq : f32
      %r = arith.divf %v, %w : f32
      affine.store %q, %cp[%j] : memref<?xf32>
      affine.store %r, %dp[%j] : memref<?xf32>
    }
    %l = affine.load %dp[symbol(%n) - 1] : memref<?xf32>
    affine.store %l, %x[%i, symbol(%n) - 1] : memref<?x?xf32>
    affine.for %j = 1 to %n {
      %xn = affine.load %x[%i, symbol(%n) - %j] : memref<?x?xf32>
      %cq = affine.load %cp[symbol(%n) - %j - 1] : memref<?xf32>
      %dq = affine.load %dp[symbol(%n) - %j - 1] : memref<?xf32>
      %t = arith.mulf %cq, %xn : f32
      %v = arith.subf %dq, %t : f32
      affine.store %v, %x[%i, symbol(%n) - %j - 1] : memref<?x?xf32>
    }
    memref.dealloc %cp : memref<?xf32>
    memref.dealloc %dp : memref<?xf32>
  }
  return
}
