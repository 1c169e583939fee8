// test: opt --specialize-function="function=@widths arguments=3x8,8" --canonicalize
// test: run-opt --arg=random:1[3x8] --arg=8

// From the argument, sizes reach what is allocated, the views of it and the bounds of loops.
func.func @widths(%x: memref<?x?xf32, strided<[?, ?], offset: ?>>, %n: i64) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %rows = memref.dim %x, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %columns = arith.index_cast %n : i64 to index
  %y = memref.alloc(%rows, %columns) : memref<?x?xf32>
  %all = memref.subview %x[0, 0] [%rows, %columns] [1, 1]
      : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  memref.copy %all, %y : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<?x?xf32>
  %half = arith.divui %columns, %c1 : index
  %sum = affine.for %i = 0 to min affine_map<()[s0, s1] -> (s0, s1 floordiv 2)>()[%rows, %half] iter_args(%s = %zero) -> (f32) {
    %v = affine.load %y[%i, symbol(%rows) - 1] : memref<?x?xf32>
    %t = arith.addf %s, %v : f32
    affine.yield %t : f32
  }
  memref.dealloc %y : memref<?x?xf32>
  return %sum : f32
}
