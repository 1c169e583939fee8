// test: run --arg=zeros --arg=zeros
// expect: arg 0 = [62, 85, 108, 131, 154, 177, 200, 12, 35, 58, 81, 104, 127, 150, 173, 196, 8, 31, 54, 77, 100, 123, 146, 169, 192, 4, 27, 50, 73, 96, 119, 142, 165, 188, 0, 23, 46, 69, 92, 115, 138, 161, 184, 207, 19, 42, 65, 88, 111, 134, 157, 180, 203, 15, 38, 61, 84, 107, 130, 153, 176, 199, 11, 34, 57, 80, 103, 126, 149, 172]
// expect: arg 1 = [273, 296, 108, 131, 154, 177, 200, 223, 246, 269, 292, 104, 127, 150, 173, 196, 219, 242, 265, 288, 100, 123, 146, 169, 192, 215, 238, 261, 284, 96, 119, 142, 165, 188, 211, 234, 257, 280, 92, 115, 138, 161, 184, 207, 230, 253, 276, 299, 111, 134, 157, 180, 203, 226, 249, 272, 295, 107, 130, 153, 176, 199, 222, 245, 268, 291, 103, 126, 149, 172]

// The place of the greatest element of each row, the first and the last; a[i, j] is (31 * i + 17 * j) mod 211. The best so
// far is kept in memory, as programs in C have it.
func.func @main(%first: memref<70xi32>, %last: memref<70xi32>) {
  %a = memref.alloc() : memref<70x300xi32>
  %best = memref.alloc() : memref<70xi32>
  affine.for %i = 0 to 70 {
    affine.for %j = 0 to 300 {
      %at = affine.apply affine_map<(d0, d1) -> ((d0 * 31 + d1 * 17) mod 211)>(%i, %j)
      %x = arith.index_cast %at : index to i32
      affine.store %x, %a[%i, %j] : memref<70x300xi32>
    }
  }
  %none = arith.constant -1 : i32
  affine.for %i = 0 to 70 {
    affine.store %none, %best[%i] : memref<70xi32>
    affine.store %none, %first[%i] : memref<70xi32>
    affine.for %j = 0 to 300 {
      %x = affine.load %a[%i, %j] : memref<70x300xi32>
      %m = affine.load %best[%i] : memref<70xi32>
      %c = arith.cmpi sgt, %x, %m : i32
      scf.if %c {
        affine.store %x, %best[%i] : memref<70xi32>
        %w = arith.index_cast %j : index to i32
        affine.store %w, %first[%i] : memref<70xi32>
      }
    }
  }
  affine.for %i = 0 to 70 {
    affine.store %none, %best[%i] : memref<70xi32>
    affine.for %j = 0 to 300 {
      %x = affine.load %a[%i, %j] : memref<70x300xi32>
      %m = affine.load %best[%i] : memref<70xi32>
      %c = arith.cmpi sge, %x, %m : i32
      scf.if %c {
        affine.store %x, %best[%i] : memref<70xi32>
        %w = arith.index_cast %j : index to i32
        affine.store %w, %last[%i] : memref<70xi32>
      }
    }
  }
  memref.dealloc %a : memref<70x300xi32>
  memref.dealloc %best : memref<70xi32>
  return
}
