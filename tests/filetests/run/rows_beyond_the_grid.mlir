// test: run --arg=iota[65540x2] --arg=zeros[65540x2]

// A workgroup has a row, and there are more rows than workgroups of one launch along a dimension: drivers that
// run kernels on the CPU get two parts of the grid.
func.func @rows(%x: memref<?x?xi32>, %y: memref<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?x?xi32>
  %n = memref.dim %x, %c1 : memref<?x?xi32>
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to %m {
    %t = affine.for %j = 0 to %n iter_args(%a = %zero) -> (i32) {
      %v = affine.load %x[%i, %j] : memref<?x?xi32>
      %s = arith.addi %a, %v : i32
      affine.yield %s : i32
    }
    affine.for %j = 0 to %n {
      %v = affine.load %x[%i, %j] : memref<?x?xi32>
      %d = arith.subi %v, %t : i32
      affine.store %d, %y[%i, %j] : memref<?x?xi32>
    }
  }
  return
}
