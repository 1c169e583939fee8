// A band whose places data chooses, in a launch: it is not proved parallel, and no thread needs it to
// be. Workgroup b of 2 scatters its row of x, backwards: y[b][3 - j] = x[b][j].
//
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [3, 2, 1, 0, 7, 6, 5, 4]
func.func @main(%x: memref<2x4xi32>, %y: memref<2x4xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    affine.parallel (%j) = (0) to (4) {
      %v = memref.load %x[%bx, %j] : memref<2x4xi32>
      %place = arith.remui %v, %c4 : i32
      %back = arith.subi %c3, %place : i32
      %at = arith.index_cast %back : i32 to index
      memref.store %v, %y[%bx, %at] : memref<2x4xi32>
    }
    gpu.terminator
  }
  return
}
