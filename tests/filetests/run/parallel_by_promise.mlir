// Bands whose iterations are independent because the program says so: where an element goes is read from memory.
// The inner band has bounds of several results and steps; the last one has no counters.
//     y[p[i], j] = i * 10 + j          for i = 0, 1, 2, j = 1, 3 (below the least of 5 and n = 4)
//     y[3, 0] = 7
// with p = 2, 0, 1
//
// test: run --arg=zeros --arg=4
// expect: arg 0 = [[0, 11, 0, 13, 0], [0, 21, 0, 23, 0], [0, 1, 0, 3, 0], [7, 0, 0, 0, 0]]
memref.global "private" constant @p : memref<3xindex> = dense<[2, 0, 1]>

func.func @main(%y: memref<4x5xi32>, %n: index) {
  %ten = arith.constant 10 : i32
  %seven = arith.constant 7 : i32
  %p = memref.get_global @p : memref<3xindex>
  affine.parallel (%i, %j) = (0, max(1, 0)) to (3, min(5, %n)) step (1, 2) {
    %row = affine.load %p[%i] : memref<3xindex>
    %i32 = arith.index_cast %i : index to i32
    %j32 = arith.index_cast %j : index to i32
    %t = arith.muli %i32, %ten : i32
    %v = arith.addi %t, %j32 : i32
    memref.store %v, %y[%row, %j] : memref<4x5xi32>
  }
  affine.parallel () = () to () {
    affine.store %seven, %y[3, 0] : memref<4x5xi32>
  }
  return
}
