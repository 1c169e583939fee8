// Offsets from a constant table that the loop itself names, as code without hoisting does: streams of a lattice, each to a
// neighbour of its own, around the edge. The expected values are those of a Python loop over the numbers from 0.
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [0, 1, 2, 3, 7, 4, 5, 6, 9, 10, 11, 8, 14, 15, 12, 13, 19, 16, 17, 18, 21, 22, 23, 20]
memref.global "private" constant @step : memref<6xindex> = dense<[0, 1, 3, 2, 1, 3]>
func.func @stream(%f: memref<6x4xf32>, %g: memref<6x4xf32>) {
  %c4 = arith.constant 4 : index
  affine.for %k = 0 to 6 {
    affine.for %x = 0 to 4 {
      %v = affine.load %f[%k, %x] : memref<6x4xf32>
      %steps = memref.get_global @step : memref<6xindex>
      %s = memref.load %steps[%k] : memref<6xindex>
      %at = arith.addi %x, %s : index
      %y = arith.remui %at, %c4 : index
      memref.store %v, %g[%k, %y] : memref<6x4xf32>
    }
  }
  return
}
