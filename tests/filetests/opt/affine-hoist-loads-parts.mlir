// A row of several loops: what is inside of these is a thread's, parallel or not. A row's sum of 6, and the number of each part.
// test: opt --affine-mark-inbounds --affine-hoist-loads
// test: run-opt --entry=parts --arg=ones --arg=iota --arg=zeros
// expect: arg 2 = [[[6, 6, 6], [7, 7, 7]], [[6, 6, 6], [7, 7, 7]]]

func.func @parts(%x: memref<2x6xi32>, %s: memref<2xi32>, %y: memref<2x2x3xi32>) {
  %0:3 = memref.distinct_objects %x, %s, %y : memref<2x6xi32>, memref<2xi32>, memref<2x2x3xi32>
  %z = arith.constant 0 : i32
  affine.for %i = 0 to 2 {
    %t = affine.for %k = 0 to 6 iter_args(%a = %z) -> (i32) {
      %v = affine.load %0#0[%i, %k] : memref<2x6xi32>
      %n = arith.addi %a, %v : i32
      affine.yield %n : i32
    }
    affine.for %j = 0 to 2 {
      affine.for %k = 0 to 3 {
        %v = affine.load %0#1[%j] : memref<2xi32>
        %n = arith.addi %t, %v : i32
        affine.store %n, %0#2[%i, %j, %k] : memref<2x2x3xi32>
      }
    }
  }
  return
}
