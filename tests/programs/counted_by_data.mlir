// An outer scf.for whose trip count is read from an array the loop also writes
// to, around a parallel nest that uses the loop's own number.
//     repeat header[0] times, s = 0, 1, ...:
//         a[i, j] = a[i, j] + s * i - j     for 0 <= i < 11, 0 <= j < 13
//         header[0] = header[0] + 1         (too late to change the count)

func.func @counted_by_data(%header: memref<2xi32>, %a: memref<11x13xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %h = memref.load %header[%c0] : memref<2xi32>
  %times = arith.index_cast %h : i32 to index
  scf.for %s = %c0 to %times step %c1 {
    %s_i32 = arith.index_cast %s : index to i32
    affine.for %i = 0 to 11 {
      affine.for %j = 0 to 13 {
        %x = affine.load %a[%i, %j] : memref<11x13xi32>
        %i_i32 = arith.index_cast %i : index to i32
        %j_i32 = arith.index_cast %j : index to i32
        %si = arith.muli %s_i32, %i_i32 : i32
        %y = arith.addi %x, %si : i32
        %z = arith.subi %y, %j_i32 : i32
        affine.store %z, %a[%i, %j] : memref<11x13xi32>
      }
    }
    %before = memref.load %header[%c0] : memref<2xi32>
    %after = arith.addi %before, %one : i32
    memref.store %after, %header[%c0] : memref<2xi32>
  }
  return
}
