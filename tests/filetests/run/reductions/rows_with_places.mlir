// test: run --map-for=gpu
// test: run --map-for=cpu
// expect: result 0 = 2134721
// The greatest element of each row and its first place: the threads of a workgroup share a row, and keep the places of equal
// elements apart. The sum, in which each place counts as often as its row's number, is Python's.
func.func @main() -> i32 {
  %x = memref.alloc() : memref<300x600xf32>
  %places = memref.alloc() : memref<300xi32>
  %p = arith.constant 97 : i32
  %none = arith.constant 0 : i32
  %low = arith.constant -1.0 : f32
  affine.for %i = 0 to 300 {
    affine.for %j = 0 to 600 {
      %n = affine.apply affine_map<(i, j) -> (i * 37 + j * 55)>(%i, %j)
      %m = arith.index_cast %n : index to i32
      %r = arith.remui %m, %p : i32
      %f = arith.sitofp %r : i32 to f32
      affine.store %f, %x[%i, %j] : memref<300x600xf32>
    }
  }
  affine.for %i = 0 to 300 {
    %best:2 = affine.for %j = 0 to 600 iter_args(%most = %low, %place = %none) -> (f32, i32) {
      %v = affine.load %x[%i, %j] : memref<300x600xf32>
      %is_more = arith.cmpf ogt, %v, %most : f32
      %at = arith.index_cast %j : index to i32
      %more = arith.select %is_more, %v, %most : f32
      %where = arith.select %is_more, %at, %place : i32
      affine.yield %more, %where : f32, i32
    }
    affine.store %best#1, %places[%i] : memref<300xi32>
  }
  %sum = affine.for %i = 0 to 300 iter_args(%s = %none) -> (i32) {
    %place = affine.load %places[%i] : memref<300xi32>
    %k = arith.index_cast %i : index to i32
    %w = arith.muli %place, %k : i32
    %t = arith.addi %s, %w : i32
    affine.yield %t : i32
  }
  memref.dealloc %places : memref<300xi32>
  memref.dealloc %x : memref<300x600xf32>
  return %sum : i32
}
