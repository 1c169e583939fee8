// Run i has i mod 3 elements, which are i: of i < 600 that are 600 elements, whose sum is that of 3 k + 1 and twice 3 k + 2 for
// k < 200, 9 * 19,900 + 5 * 200 = 180,100. At open sizes the run finds that one thread takes less time than 600 launches.
// test: run --arg=iota[600] --arg=zeros[600] --arg=zeros
// test: run --arg=iota[600] --arg=zeros[600] --arg=zeros --no-specialize
// expect: arg 2 = [180100]
func.func @decoded(%x: memref<?xi32>, %out: memref<?xi32>, %sum: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i32
  %count = memref.dim %x, %c0 : memref<?xi32>
  %room = memref.dim %out, %c0 : memref<?xi32>
  %end = scf.for %i = %c0 to %count step %c1 iter_args(%p = %c0) -> (index) {
    %v = memref.load %x[%i] : memref<?xi32>
    %m = arith.remui %v, %three : i32
    %k = arith.index_cast %m : i32 to index
    scf.for %j = %c0 to %k step %c1 {
      %q = arith.addi %p, %j : index
      memref.store %v, %out[%q] : memref<?xi32>
    }
    %r = arith.addi %p, %k : index
    scf.yield %r : index
  }
  %all = affine.for %i = 0 to %room iter_args(%s = %zero) -> i32 {
    %v = affine.load %out[%i] : memref<?xi32>
    %t = arith.addi %s, %v : i32
    affine.yield %t : i32
  }
  affine.store %all, %sum[0] : memref<1xi32>
  return
}
