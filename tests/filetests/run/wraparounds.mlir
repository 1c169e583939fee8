// Differences of neighbours, where the loop carries the neighbour: i * i - (i - 1) * (i - 1) = 2 * i - 1.
//
// test: run --entry=differences --arg=iota[8] --arg=zeros
// expect: arg 1 = [0, 1, 3, 5, 7, 9, 11, 13]
// expect: result 0 = 49
// test: run --entry=differences --arg=iota[0] --arg=zeros
// expect: result 0 = 0
func.func @differences(%x: memref<?xi32>, %y: memref<8xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xi32>
  %zero = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%last = %zero) -> i32 {
    %v = memref.load %x[%i] : memref<?xi32>
    %w = arith.muli %v, %v : i32
    %d = arith.subi %w, %last : i32
    memref.store %d, %y[%i] : memref<8xi32>
    scf.yield %w : i32
  }
  return %r : i32
}
