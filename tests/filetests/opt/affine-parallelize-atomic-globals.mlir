// A global that is only accessed, by atomic updates too, is no argument.
// test: opt --affine-parallelize
// test: run-opt --entry=copied --arg=iota[5] --arg=zeros[3]
// expect: arg 1 = [9, 9, 8]
memref.global "private" @counts : memref<3xi32> = dense<7>

// 0, 1, 2, 3, 4 mod 3 add 2, 2 and 1 to 7; the second loop is parallel.
func.func @copied(%a: memref<5xi32>, %o: memref<3xi32>) {
  %g = memref.get_global @counts : memref<3xi32>
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 5 {
    %k = affine.apply affine_map<(d0) -> (d0 mod 3)>(%i)
    %old = memref.atomic_rmw addi %one, %g[%k] : (i32, memref<3xi32>) -> i32
  }
  affine.for %i = 0 to 3 {
    %x = affine.load %g[%i] : memref<3xi32>
    affine.store %x, %o[%i] : memref<3xi32>
  }
  return
}
