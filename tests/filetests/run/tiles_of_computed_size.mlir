// test: run --arg=iota --arg=zeros
// expect: arg 1 = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24]
// test: roundtrip
// A tiled band whose step is a product of constants, as tilings of scf.parallel write it.
func.func @tiles_of_computed_size(%x: memref<13xi32>, %y: memref<13xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c13 = arith.constant 13 : index
  %step = arith.muli %c1, %c4 : index
  scf.parallel (%tile) = (%c0) to (%c13) step (%step) {
    %size = affine.min affine_map<(d0, d1, d2) -> (d0, d1 - d2)>(%step, %c13, %tile)
    scf.parallel (%point) = (%c0) to (%size) step (%c1) {
      %i = arith.addi %point, %tile : index
      %v = memref.load %x[%i] : memref<13xi32>
      %w = arith.addi %v, %v : i32
      memref.store %w, %y[%i] : memref<13xi32>
      scf.reduce
    }
    scf.reduce
  }
  return
}
