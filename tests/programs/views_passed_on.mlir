// A tile of a matrix and its sizes go through a call and a cast to dynamic form.
//     a[5 + i, 3 + 2 * j] += 100 * i + j          for 0 <= i < 6, 0 <= j < 9
// and the same tile is copied, with its strides, into the dense array out.

func.func @views_passed_on(%a: memref<16x24xi32>, %out: memref<6x9xi32>) {
  %tile = memref.subview %a[5, 3] [6, 9] [1, 2]
      : memref<16x24xi32> to memref<6x9xi32, strided<[24, 2], offset: 123>>
  %any = memref.cast %tile
      : memref<6x9xi32, strided<[24, 2], offset: 123>> to memref<?x?xi32, strided<[?, ?], offset: ?>>
  call @add_numbers(%any) : (memref<?x?xi32, strided<[?, ?], offset: ?>>) -> ()
  memref.copy %tile, %out : memref<6x9xi32, strided<[24, 2], offset: 123>> to memref<6x9xi32>
  return
}

func.func private @add_numbers(%t: memref<?x?xi32, strided<[?, ?], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %t, %c0 : memref<?x?xi32, strided<[?, ?], offset: ?>>
  %n = memref.dim %t, %c1 : memref<?x?xi32, strided<[?, ?], offset: ?>>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %number = affine.apply affine_map<(d0, d1) -> (d0 * 100 + d1)>(%i, %j)
      %number_i32 = arith.index_cast %number : index to i32
      %x = affine.load %t[%i, %j] : memref<?x?xi32, strided<[?, ?], offset: ?>>
      %y = arith.addi %x, %number_i32 : i32
      affine.store %y, %t[%i, %j] : memref<?x?xi32, strided<[?, ?], offset: ?>>
    }
  }
  return
}
