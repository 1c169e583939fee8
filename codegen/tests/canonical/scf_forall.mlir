// test: canonical
func.func @bounds(%n: index, %m: memref<?x?xf32>, %v: f32) {
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i, %j) in (%n, %c4) {
    memref.store %v, %m[%i, %j] : memref<?x?xf32>
  }
  scf.forall (%i, %j) = (%c0, %c1) to (%n, %c4) step (%c1, %c1) {
    memref.store %v, %m[%i, %j] : memref<?x?xf32>
  }
  scf.forall (%i, %j) in (1, %n) {
    memref.store %v, %m[%i, %j] : memref<?x?xf32>
  }
  scf.forall (%i, %j) in (1, 1) {
    memref.store %v, %m[%i, %j] : memref<?x?xf32>
  }
  scf.forall (%i) in (0) {
    memref.store %v, %m[%i, %i] : memref<?x?xf32>
  }
  return
}
