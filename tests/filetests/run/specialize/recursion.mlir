// test: run --arg=iota[8] --arg=8
// expect: arg 0 = [28, 16, 8, 10, 4, 5, 6, 7]

// The function calls itself on half of the elements, which is another size than that of the run.
// The first half of 0 .. 7 takes in the second, 4 6 8 10; then 12 16; then 28.
func.func @halve(%x: memref<?xi32, strided<[1], offset: ?>>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %size = memref.dim %x, %c0 : memref<?xi32, strided<[1], offset: ?>>
  %half = arith.divui %size, %c2 : index
  %go = arith.cmpi uge, %n, %c2 : index
  scf.if %go {
    %low = memref.subview %x[0] [%half] [1]
        : memref<?xi32, strided<[1], offset: ?>> to memref<?xi32, strided<[1], offset: ?>>
    affine.for %i = 0 to %half {
      %a = memref.load %x[%i] : memref<?xi32, strided<[1], offset: ?>>
      %j = arith.addi %i, %half : index
      %b = memref.load %x[%j] : memref<?xi32, strided<[1], offset: ?>>
      %s = arith.addi %a, %b : i32
      memref.store %s, %x[%i] : memref<?xi32, strided<[1], offset: ?>>
    }
    func.call @halve(%low, %half) : (memref<?xi32, strided<[1], offset: ?>>, index) -> ()
  }
  return
}
