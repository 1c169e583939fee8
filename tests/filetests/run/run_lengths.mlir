// Run-length encoding: the loop carries the number of runs, the value of the run and its length, which a branch stores.
//
// test: run --entry=carried --arg=iota[20000] --arg=zeros --arg=zeros
// expect: result 0 = 7
// expect: arg 1 = [0, 1, 2, 3, 4, 5, 6]
// expect: arg 2 = [3000, 3000, 3000, 3000, 3000, 3000, 2000]
// test: run --map-for=gpu --entry=carried --arg=iota[20000] --arg=zeros --arg=zeros
// expect: arg 2 = [3000, 3000, 3000, 3000, 3000, 3000, 2000]
// test: run --entry=carried --arg=iota[1] --arg=zeros --arg=zeros
// expect: result 0 = 1
// expect: arg 2 = [1, 0, 0, 0, 0, 0, 0]
func.func @carried(%x: memref<?xi32>, %value: memref<7xi32>, %length: memref<7xi32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %k = arith.constant 3000 : i32
  %n = memref.dim %x, %c0 : memref<?xi32>
  %x0 = memref.load %x[%c0] : memref<?xi32>
  %first = arith.divui %x0, %k : i32
  %r:3 = scf.for %i = %c1 to %n step %c1 iter_args(%p = %c0, %last = %first, %count = %one) -> (index, i32, i32) {
    %u = memref.load %x[%i] : memref<?xi32>
    %v = arith.divui %u, %k : i32
    %same = arith.cmpi eq, %v, %last : i32
    %q:3 = scf.if %same -> (index, i32, i32) {
      %more = arith.addi %count, %one : i32
      scf.yield %p, %last, %more : index, i32, i32
    } else {
      memref.store %last, %value[%p] : memref<7xi32>
      memref.store %count, %length[%p] : memref<7xi32>
      %p1 = arith.addi %p, %c1 : index
      scf.yield %p1, %v, %one : index, i32, i32
    }
    scf.yield %q#0, %q#1, %q#2 : index, i32, i32
  }
  memref.store %r#1, %value[%r#0] : memref<7xi32>
  memref.store %r#2, %length[%r#0] : memref<7xi32>
  %runs = arith.addi %r#0, %c1 : index
  return %runs : index
}
