// test: opt "--affine-parallelize-scans=target=cpu fp=strict"
// test: run-opt --entry=floats --arg=iota --arg=zeros
// expect: arg 1 = [1.25, 0.5, 0.75, 639.5, 0.5, 0.75]

// Sums of floats keep their order.
func.func @floats(%a: memref<9001xi32>, %out: memref<6xf32>) {
  %x, %o = memref.distinct_objects %a, %out : memref<9001xi32>, memref<6xf32>
  %y = memref.alloc() : memref<9001xf32>
  %first = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %quarter = arith.constant 0.25 : f32
  %c3000 = arith.constant 3000 : i32
  %c2999 = arith.constant 2999 : i32
  %last = affine.for %i = 0 to 9001 iter_args(%s = %first) -> f32 {
    %n = affine.load %x[%i] : memref<9001xi32>
    %r = arith.remui %n, %c3000 : i32
    %head = arith.cmpi eq, %r, %c2999 : i32
    %t = arith.addf %s, %quarter : f32
    %m = arith.select %head, %half, %t : f32
    affine.store %m, %y[%i] : memref<9001xf32>
    affine.yield %m : f32
  }
  %p0 = affine.load %y[0] : memref<9001xf32>
  affine.store %p0, %o[0] : memref<6xf32>
  %p1 = affine.load %y[2999] : memref<9001xf32>
  affine.store %p1, %o[1] : memref<6xf32>
  %p2 = affine.load %y[3000] : memref<9001xf32>
  affine.store %p2, %o[2] : memref<6xf32>
  %p3 = affine.load %y[5555] : memref<9001xf32>
  affine.store %p3, %o[3] : memref<6xf32>
  %p4 = affine.load %y[8999] : memref<9001xf32>
  affine.store %p4, %o[4] : memref<6xf32>
  %p5 = affine.load %y[9000] : memref<9001xf32>
  affine.store %p5, %o[5] : memref<6xf32>
  memref.dealloc %y : memref<9001xf32>
  return
}
