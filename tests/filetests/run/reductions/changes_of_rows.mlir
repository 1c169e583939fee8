// Assignment to the nearest of some centres, with the number of labels that change: the count is a reduction
// though a branch advances it, beside three other arguments and behind the loops of the distance.
//
// Points are 0, 1, …, 399 and the centres 0 and 1, so that point 0 stays at label 0 and 399 others move to 1.
// test: run --arg=iota[400x1] --arg=iota[2x1] --arg=zeros[400] --arg=zeros
// expect: arg 3 = [399]
func.func @main(%points: memref<?x1xf32>, %centres: memref<?x1xf32>, %labels: memref<?xi32>, %moved: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %points, %c0 : memref<?x1xf32>
  %k = memref.dim %centres, %c0 : memref<?x1xf32>
  %far = arith.constant 0x7F800000 : f32
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 {
    %best:2 = scf.for %j = %c0 to %k step %c1 iter_args(%least = %far, %at = %none) -> (f32, i32) {
      %x = memref.load %points[%i, %c0] : memref<?x1xf32>
      %y = memref.load %centres[%j, %c0] : memref<?x1xf32>
      %d = arith.subf %x, %y : f32
      %q = arith.mulf %d, %d : f32
      %is_less = arith.cmpf olt, %q, %least : f32
      %j32 = arith.index_cast %j : index to i32
      %next = arith.select %is_less, %q, %least : f32
      %next_at = arith.select %is_less, %j32, %at : i32
      scf.yield %next, %next_at : f32, i32
    }
    %old = memref.load %labels[%i] : memref<?xi32>
    %is_moved = arith.cmpi ne, %old, %best#1 : i32
    scf.if %is_moved {
      %count = memref.load %moved[%c0] : memref<1xi32>
      %more = arith.addi %count, %one : i32
      memref.store %more, %moved[%c0] : memref<1xi32>
    }
  }
  return
}
