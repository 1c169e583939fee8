// Metadata in loops: of rows, of a subview in the loop, and of an argument with open strides, whose operation moves in front of the loop.
// test: opt --resolve-strided-metadata --cse --canonicalize
// test: run-opt --entry=rows --arg=iota[4x3] --arg=zeros[4]
// expect: arg 1 = [1, 4, 7, 10]
// test: run-opt --entry=of_subview --arg=iota[7x9] --arg=zeros[3]
// expect: arg 1 = [12, 30, 48]
// test: run-opt --entry=tiles --arg=iota[3x5x7] --arg=zeros[3x3]
// expect: arg 1 = [[9, 14, 2], [44, 14, 2], [79, 14, 2]]
func.func @rows(%a: memref<?x?xf32>, %o: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = memref.dim %a, %c0 : memref<?x?xf32>
  scf.parallel (%i) = (%c0) to (%h) step (%c1) {
    %base, %off, %sizes:2, %strides:2 = memref.extract_strided_metadata %a : memref<?x?xf32> -> memref<f32>, index, index, index, index, index
    %p = arith.muli %i, %strides#0 : index
    %r = memref.reinterpret_cast %base to offset: [%p], sizes: [%sizes#1], strides: [1] : memref<f32> to memref<?xf32, strided<[1], offset: ?>>
    %x = memref.load %r[%c1] : memref<?xf32, strided<[1], offset: ?>>
    memref.store %x, %o[%i] : memref<?xf32>
    scf.reduce
  }
  return
}

// Row %i of the subview starts at element 9 * (1 + 2 * %i) + 2; its second element is one further.
func.func @of_subview(%b: memref<?x?xf32>, %o: memref<?xf32>) {
  %s = memref.subview %b[1, 2] [3, 4] [2, 1] : memref<?x?xf32> to memref<3x4xf32, strided<[?, 1], offset: ?>>
  %c = memref.cast %s : memref<3x4xf32, strided<[?, 1], offset: ?>> to memref<?x?xf32, strided<[?, 1], offset: ?>>
  call @strided(%c, %o) : (memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?xf32>) -> ()
  return
}

func.func private @strided(%a: memref<?x?xf32, strided<[?, 1], offset: ?>>, %o: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = memref.dim %a, %c0 : memref<?x?xf32, strided<[?, 1], offset: ?>>
  scf.parallel (%i) = (%c0) to (%h) step (%c1) {
    %base, %off, %sizes:2, %strides:2 = memref.extract_strided_metadata %a : memref<?x?xf32, strided<[?, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
    %p = arith.muli %i, %strides#0 : index
    %q = arith.addi %p, %off : index
    %r = memref.reinterpret_cast %base to offset: [%q], sizes: [%sizes#1], strides: [1] : memref<f32> to memref<?xf32, strided<[1], offset: ?>>
    %x = memref.load %r[%c1] : memref<?xf32, strided<[1], offset: ?>>
    memref.store %x, %o[%i] : memref<?xf32>
    scf.reduce
  }
  return
}

// Offset 35 * %i + 7 * 1 + 2, row stride 7 * 2, two columns.
func.func @tiles(%b: memref<?x?x?xf32>, %o: memref<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %b, %c0 : memref<?x?x?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %s = memref.subview %b[%i, 1, %c2] [1, 2, 2] [1, 2, 1] : memref<?x?x?xf32> to memref<2x2xf32, strided<[?, 1], offset: ?>>
    %base, %off, %sizes:2, %strides:2 = memref.extract_strided_metadata %s : memref<2x2xf32, strided<[?, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
    %x = arith.index_cast %off : index to i32
    %y = arith.index_cast %strides#0 : index to i32
    %z = arith.index_cast %sizes#1 : index to i32
    memref.store %x, %o[%i, %c0] : memref<?x?xi32>
    memref.store %y, %o[%i, %c1] : memref<?x?xi32>
    memref.store %z, %o[%i, %c2] : memref<?x?xi32>
    scf.reduce
  }
  return
}
