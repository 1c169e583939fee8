// A product in tiles of 4, as tiling and promotion leave it: subviews, some of them smaller at the edges, which are
// copied to buffers, multiplied there, and copied back. All elements are sums of six times 1 * 1.
// test: run --arg=ones --arg=ones --arg=zeros
// expect: arg 2 = [6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6]
func.func @product(%a: memref<5x6xi32>, %b: memref<6x9xi32>, %c: memref<5x9xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c9 = arith.constant 9 : index
  scf.for %ti = %c0 to %c5 step %c4 {
    %m = affine.min affine_map<(d0) -> (4, -d0 + 5)>(%ti)
    scf.for %tj = %c0 to %c9 step %c4 {
      %n = affine.min affine_map<(d0) -> (4, -d0 + 9)>(%tj)
      scf.for %tk = %c0 to %c6 step %c4 {
        %p = affine.min affine_map<(d0) -> (4, -d0 + 6)>(%tk)
        %of_a = memref.subview %a[%ti, %tk] [%m, %p] [1, 1] : memref<5x6xi32> to memref<?x?xi32, strided<[6, 1], offset: ?>>
        %of_b = memref.subview %b[%tk, %tj] [%p, %n] [1, 1] : memref<6x9xi32> to memref<?x?xi32, strided<[9, 1], offset: ?>>
        %of_c = memref.subview %c[%ti, %tj] [%m, %n] [1, 1] : memref<5x9xi32> to memref<?x?xi32, strided<[9, 1], offset: ?>>
        %tile_a = memref.alloc() : memref<4x4xi32>
        %tile_b = memref.alloc() : memref<4x4xi32>
        scf.for %i = %c0 to %m step %c1 {
          scf.for %k = %c0 to %p step %c1 {
            %v = memref.load %of_a[%i, %k] : memref<?x?xi32, strided<[6, 1], offset: ?>>
            memref.store %v, %tile_a[%i, %k] : memref<4x4xi32>
          }
        }
        scf.for %k = %c0 to %p step %c1 {
          scf.for %j = %c0 to %n step %c1 {
            %v = memref.load %of_b[%k, %j] : memref<?x?xi32, strided<[9, 1], offset: ?>>
            memref.store %v, %tile_b[%k, %j] : memref<4x4xi32>
          }
        }
        scf.for %i = %c0 to %m step %c1 {
          scf.for %j = %c0 to %n step %c1 {
            scf.for %k = %c0 to %p step %c1 {
              %x = memref.load %tile_a[%i, %k] : memref<4x4xi32>
              %y = memref.load %tile_b[%k, %j] : memref<4x4xi32>
              %z = memref.load %of_c[%i, %j] : memref<?x?xi32, strided<[9, 1], offset: ?>>
              %xy = arith.muli %x, %y : i32
              %s = arith.addi %z, %xy : i32
              memref.store %s, %of_c[%i, %j] : memref<?x?xi32, strided<[9, 1], offset: ?>>
            }
          }
        }
        memref.dealloc %tile_b : memref<4x4xi32>
        memref.dealloc %tile_a : memref<4x4xi32>
      }
    }
  }
  return
}
