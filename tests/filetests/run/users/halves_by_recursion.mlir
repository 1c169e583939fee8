// Levels of a grid, each half as long as the one above: the function calls itself with the halves, and its loops have the halved
// length, computed inside of a branch, as a bound. On each level neighbours are added, and what comes back is added to both.
// The expected values are those of a Python function of the same steps over 0 … 12.
// test: run --entry=main --arg=iota[13]
// expect: arg 0 = [35, 36, 41, 42, 63, 64, 69, 70, 63, 64, 69, 70, 12]
func.func private @level(%u: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %u, %c0 : memref<?xi32>
  %deep = arith.cmpi sgt, %n, %c2 : index
  scf.if %deep {
    %m = arith.divui %n, %c2 : index
    %r = memref.alloc(%m) : memref<?xi32>
    affine.for %i = 0 to %m {
      %x = affine.load %u[2 * %i] : memref<?xi32>
      %y = affine.load %u[2 * %i + 1] : memref<?xi32>
      %s = arith.addi %x, %y : i32
      affine.store %s, %r[%i] : memref<?xi32>
    }
    func.call @level(%r) : (memref<?xi32>) -> ()
    affine.for %i = 0 to affine_map<()[m] -> (2 * m)>()[%m] {
      %x = affine.load %u[%i] : memref<?xi32>
      %y = affine.load %r[%i floordiv 2] : memref<?xi32>
      %s = arith.addi %x, %y : i32
      affine.store %s, %u[%i] : memref<?xi32>
    }
    memref.dealloc %r : memref<?xi32>
  }
  return
}
func.func @main(%u: memref<?xi32>) {
  call @level(%u) : (memref<?xi32>) -> ()
  return
}
