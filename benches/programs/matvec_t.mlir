// y += A^T x of sizes that the arguments tell.
func.func @matvec_t(%a: memref<?x?xf32>, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %n = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %j = 0 to %n {
    affine.for %i = 0 to %m {
      %0 = affine.load %a[%i, %j] : memref<?x?xf32>
      %1 = affine.load %x[%i] : memref<?xf32>
      %2 = affine.load %y[%j] : memref<?xf32>
      %3 = arith.mulf %0, %1 : f32
      %4 = arith.addf %2, %3 : f32
      affine.store %4, %y[%j] : memref<?xf32>
    }
  }
  return
}
