// A scattered sum of sparse rows: y[column(k)] += a[k] * x[row], the transpose of a sparse matrix times
// a vector. Row 0 has columns 0 and 2, row 1 column 2, row 2 columns 1, 2 and 3; element k is k + 1.
// x = 0, 1, 2, so y = [0, 4 * 2, 0 + 3 * 1 + 5 * 2, 6 * 2].
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [0, 8, 13, 12]
memref.global "private" constant @starts : memref<4xi32> = dense<[0, 2, 3, 6]>
memref.global "private" constant @columns : memref<6xi32> = dense<[0, 2, 2, 1, 2, 3]>
func.func @scatter(%x: memref<3xf32>, %y: memref<4xf32>) {
  %starts = memref.get_global @starts : memref<4xi32>
  %columns = memref.get_global @columns : memref<6xi32>
  %c1 = arith.constant 1 : index
  affine.for %row = 0 to 3 {
    %s = affine.load %starts[%row] : memref<4xi32>
    %e = affine.load %starts[%row + 1] : memref<4xi32>
    %from = arith.index_cast %s : i32 to index
    %to = arith.index_cast %e : i32 to index
    %xi = affine.load %x[%row] : memref<3xf32>
    scf.for %k = %from to %to step %c1 {
      %c = memref.load %columns[%k] : memref<6xi32>
      %col = arith.index_cast %c : i32 to index
      %next = arith.addi %k, %c1 : index
      %n = arith.index_cast %next : index to i32
      %a = arith.sitofp %n : i32 to f32
      %term = arith.mulf %a, %xi : f32
      %old = memref.load %y[%col] : memref<4xf32>
      %new = arith.addf %old, %term : f32
      memref.store %new, %y[%col] : memref<4xf32>
    }
  }
  return
}
