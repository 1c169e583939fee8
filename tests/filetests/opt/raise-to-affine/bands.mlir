// scf.parallel and scf.forall declare what affine.parallel declares.
// test: opt --raise-to-affine --canonicalize
// test: run-opt --entry=parallel --arg=random:1[9x9] --arg=6 --arg=6
func.func @parallel(%a: memref<?x?xf32>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %x = arith.constant 1.0 : f32
  %end = arith.minsi %n, %c4 : index
  scf.parallel (%i, %j) = (%c2, %c0) to (%end, %m) step (%c2, %c4) {
    memref.store %x, %a[%i, %j] : memref<?x?xf32>
  }
  return
}

// Subscripts that are loaded stay; the band is one all the same.
func.func @scatter(%y: memref<?xf32>, %index: memref<?xindex>, %n: index) {
  %x = arith.constant 1.0 : f32
  scf.forall (%i, %j) in (%n, 8) {
    %k = memref.load %index[%i] : memref<?xindex>
    memref.store %x, %y[%k] : memref<?xf32>
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  scf.forall (%i) = (2) to (%n) step (3) {
    memref.store %x, %y[%i] : memref<?xf32>
  }
  return
}
