// A nest under a test of its bounds, whose result another block of the function uses.
// test: run --arg=zeros --arg=2 --arg=true
// expect: arg 0 = [0, 7, 0, 0]
func.func @main(%a: memref<4xi32>, %s: index, %taken: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %sum = affine.for %i = 0 to 7 iter_args(%t = %zero) -> (i32) {
    affine.for %j = 0 to affine_map<()[s0] -> (s0 + s0)>()[%s] {
      affine.store %zero, %a[%j mod 4] : memref<4xi32>
    }
    %u = arith.addi %t, %one : i32
    affine.yield %u : i32
  }
  cf.cond_br %taken, ^store, ^end
^store:
  affine.store %sum, %a[1] : memref<4xi32>
  cf.br ^end
^end:
  return
}
