// Bounds that are known only in the run: 3 + 5 + … + 69999, and the last element.
// test: run --arg=iota[70001] --arg=ones
// except: SwiftShader: it has no i64
// expect: arg 1 = [1224999999, 70000]
func.func @open(%a: memref<?xi64>, %r: memref<2xi64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %low = arith.constant -1 : i64
  %n = memref.dim %a, %c0 : memref<?xi64>
  %sum = affine.for %i = 3 to %n step 2 iter_args(%acc = %zero) -> i64 {
    %x = affine.load %a[%i] : memref<?xi64>
    %y = arith.addi %acc, %x : i64
    affine.yield %y : i64
  }
  %most = affine.for %i = 3 to %n iter_args(%acc = %low) -> i64 {
    %x = affine.load %a[%i] : memref<?xi64>
    %y = arith.maxsi %acc, %x : i64
    affine.yield %y : i64
  }
  affine.store %sum, %r[0] : memref<2xi64>
  affine.store %most, %r[1] : memref<2xi64>
  return
}
