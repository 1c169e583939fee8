// Numbers of sparse rows, each divided by the sum of its row: rows write ranges of their own where the row pointers are sorted, which
// a reduction tests. Row i has the numbers between pointers 2i and 2i + 2: two of them where pointers count up, none where all are 0.
// The expected values are quotients by 0 + 1, 2 + 3 and 4 + 5.
// test: run --arg=iota[7] --arg=iota[6] --arg=3
// expect: arg 1 = [0, 1, 0.4, 0.6, 0.4444444444, 0.5555555556] within 1e-6
// test: run --arg=zeros[7] --arg=iota[6] --arg=3
// expect: arg 1 = [0, 1, 2, 3, 4, 5]
func.func @normalise(%rows: memref<?xi32>, %v: memref<?xf32>, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %m = arith.index_cast %n : i32 to index
  scf.for %i = %c0 to %m step %c1 {
    %even = arith.addi %i, %i : index
    %j = arith.addi %even, %c2 : index
    %l = memref.load %rows[%even] : memref<?xi32>
    %u = memref.load %rows[%j] : memref<?xi32>
    %low = arith.index_cast %l : i32 to index
    %high = arith.index_cast %u : i32 to index
    %sum = scf.for %p = %low to %high step %c1 iter_args(%s = %zero) -> f32 {
      %x = memref.load %v[%p] : memref<?xf32>
      %t = arith.addf %s, %x : f32
      scf.yield %t : f32
    }
    scf.for %p = %low to %high step %c1 {
      %x = memref.load %v[%p] : memref<?xf32>
      %y = arith.divf %x, %sum : f32
      memref.store %y, %v[%p] : memref<?xf32>
    }
  }
  return
}
