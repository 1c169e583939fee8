// A thread takes the counter of its scf.for apart, and affine.apply takes the parts: a transpose of 3x4 elements
// by each of two workgroups.
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11, 12, 15, 18, 21, 13, 16, 19, 22, 14, 17, 20, 23]
func.func @parts(%a: memref<24xi32>, %b: memref<24xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c12 = arith.constant 12 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {
    scf.for %e = %tx to %c12 step %c4 {
      %l:2 = affine.delinearize_index %e into (3, 4) : index, index
      %from = affine.apply affine_map<(b, i, j) -> (b * 12 + j * 3 + i)>(%bx, %l#0, %l#1)
      %to = affine.apply affine_map<(b, e) -> (b * 12 + e)>(%bx, %e)
      %v = memref.load %a[%from] : memref<24xi32>
      memref.store %v, %b[%to] : memref<24xi32>
    }
    gpu.terminator
  }
  return
}
