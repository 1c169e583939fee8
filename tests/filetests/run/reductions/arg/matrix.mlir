// test: run --arg=zeros --arg=4 --arg=8
// expect: arg 0 = [1008, 12, 0, 1008, 149, 55, 101, 23, 0]

// a[i, j] is (7 * i * i + 11 * j * j) mod 1009; the first of the greatest elements is [12, 0], the last one [149, 55]. Then rows
// of open length: b[i, j] is (37 * i) mod 101 + j mod 2, and 101 stands first in b[30, 1], element 121. In the end rows of
// no elements.
func.func @main(%out: memref<9xi32>, %four: index, %eight: index) {
  %a = memref.alloc() : memref<150x64xi32>
  %b = memref.alloc() : memref<150x4xi32>
  affine.for %i = 0 to 150 {
    affine.for %j = 0 to 64 {
      %iw = arith.index_cast %i : index to i32
      %jw = arith.index_cast %j : index to i32
      %i2 = arith.muli %iw, %iw : i32
      %j2 = arith.muli %jw, %jw : i32
      %c7 = arith.constant 7 : i32
      %c11 = arith.constant 11 : i32
      %prime = arith.constant 1009 : i32
      %x = arith.muli %i2, %c7 : i32
      %y = arith.muli %j2, %c11 : i32
      %s = arith.addi %x, %y : i32
      %m = arith.remsi %s, %prime : i32
      affine.store %m, %a[%i, %j] : memref<150x64xi32>
    }
    affine.for %j = 0 to 4 {
      %at = affine.apply affine_map<(d0, d1) -> ((d0 * 37) mod 101 + d1 mod 2)>(%i, %j)
      %w = arith.index_cast %at : index to i32
      affine.store %w, %b[%i, %j] : memref<150x4xi32>
    }
  }
  %least = arith.constant -2147483648 : i32
  %none = arith.constant -1 : i32
  %r:3 = affine.for %i = 0 to 150 iter_args(%m = %least, %p = %none, %q = %none) -> (i32, i32, i32) {
    %iw = arith.index_cast %i : index to i32
    %s:3 = affine.for %j = 0 to 64 iter_args(%n = %m, %t = %p, %u = %q) -> (i32, i32, i32) {
      %x = affine.load %a[%i, %j] : memref<150x64xi32>
      %c = arith.cmpi sgt, %x, %n : i32
      %jw = arith.index_cast %j : index to i32
      %y = arith.select %c, %x, %n : i32
      %v = arith.select %c, %iw, %t : i32
      %w = arith.select %c, %jw, %u : i32
      affine.yield %y, %v, %w : i32, i32, i32
    }
    affine.yield %s#0, %s#1, %s#2 : i32, i32, i32
  }
  affine.store %r#0, %out[0] : memref<9xi32>
  affine.store %r#1, %out[1] : memref<9xi32>
  affine.store %r#2, %out[2] : memref<9xi32>
  %l:3 = affine.for %i = 0 to 150 iter_args(%m = %least, %p = %none, %q = %none) -> (i32, i32, i32) {
    %iw = arith.index_cast %i : index to i32
    %s:3 = affine.for %j = 0 to 64 iter_args(%n = %m, %t = %p, %u = %q) -> (i32, i32, i32) {
      %x = affine.load %a[%i, %j] : memref<150x64xi32>
      %c = arith.cmpi sge, %x, %n : i32
      %jw = arith.index_cast %j : index to i32
      %y = arith.select %c, %x, %n : i32
      %v = arith.select %c, %iw, %t : i32
      %w = arith.select %c, %jw, %u : i32
      affine.yield %y, %v, %w : i32, i32, i32
    }
    affine.yield %s#0, %s#1, %s#2 : i32, i32, i32
  }
  affine.store %l#0, %out[3] : memref<9xi32>
  affine.store %l#1, %out[4] : memref<9xi32>
  affine.store %l#2, %out[5] : memref<9xi32>
  %f:2 = affine.for %i = 0 to 150 iter_args(%m = %least, %p = %none) -> (i32, i32) {
    %s:2 = affine.for %j = 0 to %four iter_args(%n = %m, %t = %p) -> (i32, i32) {
      %x = affine.load %b[%i, %j] : memref<150x4xi32>
      %c = arith.cmpi sgt, %x, %n : i32
      %place = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%i, %j)
      %jw = arith.index_cast %place : index to i32
      %y = arith.select %c, %x, %n : i32
      %w = arith.select %c, %jw, %t : i32
      affine.yield %y, %w : i32, i32
    }
    affine.yield %s#0, %s#1 : i32, i32
  }
  %base = arith.constant 98 : i32
  %row = arith.subi %f#1, %base : i32
  affine.store %f#0, %out[6] : memref<9xi32>
  affine.store %row, %out[7] : memref<9xi32>
  %zero = arith.constant 0 : i32
  %e:2 = affine.for %i = 0 to %eight step 9 iter_args(%m = %least, %p = %zero) -> (i32, i32) {
    %s:2 = affine.for %j = 70 to 64 iter_args(%n = %m, %t = %p) -> (i32, i32) {
      %x = affine.load %a[%i, 0] : memref<150x64xi32>
      %c = arith.cmpi sge, %x, %n : i32
      %jw = arith.index_cast %j : index to i32
      %y = arith.select %c, %x, %n : i32
      %w = arith.select %c, %jw, %t : i32
      affine.yield %y, %w : i32, i32
    }
    affine.yield %s#0, %s#1 : i32, i32
  }
  affine.store %e#1, %out[8] : memref<9xi32>
  memref.dealloc %a : memref<150x64xi32>
  memref.dealloc %b : memref<150x4xi32>
  return
}
