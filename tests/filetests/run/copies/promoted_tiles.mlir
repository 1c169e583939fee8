// A product whose tiles are copied into memory of their own, as tools promote them, the last tile of a
// row being smaller: 6x6 in tiles of 4. Memory of open size keeps the loops over tiles on the host; what
// they do becomes kernels, copies included.
//
// a is 0 to 35 in rows, b all ones: each element of the product is its row's sum, 36 r + 15.
//
// test: run --arg=iota --arg=ones --arg=zeros
// expect: arg 2 = [15, 15, 15, 15, 15, 15, 51, 51, 51, 51, 51, 51, 87, 87, 87, 87, 87, 87, 123, 123, 123, 123, 123, 123, 159, 159, 159, 159, 159, 159, 195, 195, 195, 195, 195, 195]
func.func @product(%a: memref<6x6xf32>, %b: memref<6x6xf32>, %c: memref<6x6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  scf.for %i = %c0 to %c6 step %c4 {
    scf.for %j = %c0 to %c6 step %c4 {
      %m = affine.min affine_map<(d0) -> (4, -d0 + 6)>(%i)
      %n = affine.min affine_map<(d0) -> (4, -d0 + 6)>(%j)
      %tile = memref.subview %c[%i, %j] [%m, %n] [1, 1]
        : memref<6x6xf32> to memref<?x?xf32, strided<[6, 1], offset: ?>>
      %own = memref.alloca(%m, %n) : memref<?x?xf32>
      memref.copy %tile, %own
        : memref<?x?xf32, strided<[6, 1], offset: ?>> to memref<?x?xf32>
      scf.for %x = %c0 to %m step %c1 {
        scf.for %y = %c0 to %n step %c1 {
          scf.for %k = %c0 to %c6 step %c1 {
            %row = arith.addi %i, %x : index
            %column = arith.addi %j, %y : index
            %u = memref.load %a[%row, %k] : memref<6x6xf32>
            %v = memref.load %b[%k, %column] : memref<6x6xf32>
            %w = memref.load %own[%x, %y] : memref<?x?xf32>
            %p = arith.mulf %u, %v : f32
            %q = arith.addf %w, %p : f32
            memref.store %q, %own[%x, %y] : memref<?x?xf32>
          }
        }
      }
      memref.copy %own, %tile
        : memref<?x?xf32> to memref<?x?xf32, strided<[6, 1], offset: ?>>
    }
  }
  return
}
