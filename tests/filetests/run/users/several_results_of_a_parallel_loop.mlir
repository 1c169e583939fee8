// Sums, extremes and bits that a parallel loop gives at once.
// test: run --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [280875, 561001, 0]
// expect: arg 2 = [9025, 1]
func.func @several_results_of_a_parallel_loop(%a: memref<25x30xf32>, %o: memref<3xf32>, %k: memref<2xi32>) {
  %r:3 = affine.parallel (%i, %j) = (0,0) to (25,30) reduce ("addf","maximumf","minimumf") -> (f32,f32,f32) {
    %v = affine.load %a[%i, %j] : memref<25x30xf32>
    %w = arith.mulf %v, %v : f32
    affine.yield %v, %w, %v : f32,f32,f32
  }
  affine.store %r#0, %o[0] : memref<3xf32>
  affine.store %r#1, %o[1] : memref<3xf32>
  affine.store %r#2, %o[2] : memref<3xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c25 = arith.constant 25 : index
  %z = arith.constant 0 : i32
  %m = arith.constant -1 : i32
  %s:2 = scf.parallel (%i) = (%c0) to (%c25) step (%c1) init (%z, %m) -> (i32,i32) {
    %v = memref.load %a[%i, %c1] : memref<25x30xf32>
    %n = arith.fptosi %v : f32 to i32
    scf.reduce(%n, %n : i32, i32) {
    ^bb0(%x: i32, %y: i32): %t = arith.addi %x, %y : i32
      scf.reduce.return %t : i32
    }, {
    ^bb0(%x: i32, %y: i32): %t = arith.andi %x, %y : i32
      scf.reduce.return %t : i32
    }
  }
  affine.store %s#0, %k[0] : memref<2xi32>
  affine.store %s#1, %k[1] : memref<2xi32>
  return
}
