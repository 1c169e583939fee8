// What nothing defines may be handed on; what is not chosen does not matter.
//
// test: run --arg=iota --arg=ones --arg=3
// expect: arg 0 = [0, 1, 2, 3]
// expect: arg 1 = [0, 0, 0, 0]
func.func @f(%x: memref<4xi32>, %y: memref<4xf32>, %n: index) -> i32 {
  %p = ub.poison : i32
  %u = llvm.mlir.undef : f32
  %q = llvm.mlir.poison : i32
  %z = llvm.mlir.zero : f32
  affine.for %i = 0 to 4 {
    %v = affine.load %x[%i] : memref<4xi32>
    %c = arith.cmpi sge, %v, %v : i32
    %s = arith.select %c, %v, %p : i32
    affine.store %s, %x[%i] : memref<4xi32>
    affine.store %z, %y[%i] : memref<4xf32>
  }
  %t = arith.constant true
  %r = arith.select %t, %q, %p : i32
  return %r : i32
}
