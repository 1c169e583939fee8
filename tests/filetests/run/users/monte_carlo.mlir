// Points of a xorshift generator, one seed a thread, that fall into the circle.
// test: run --arg=zeros --arg=zeros
// expect: arg 0 = [38, 40, 42, 38, 39, 40, 40, 37, 40, 36, 38, 40, 35, 42, 38, 40, 37, 34, 36, 44, 37, 33, 35, 40, 35, 35, 41, 43, 39, 41, 41, 41, 32, 38, 39, 39, 41, 34, 34, 44, 39, 41, 42, 40, 41, 37, 42, 38, 41, 41, 41, 41, 41, 46, 40, 37, 41, 39, 43, 37, 45, 43, 37, 37]
// expect: arg 1 = [2506]
func.func @monte_carlo(%hits: memref<64xi32>, %total: memref<1xi64>) {
  %z = arith.constant 0 : i32
  %z64 = arith.constant 0 : i64
  %one = arith.constant 1 : i32
  %c13 = arith.constant 13 : i32
  %c17 = arith.constant 17 : i32
  %c5 = arith.constant 5 : i32
  %k = arith.constant 747796405 : i32
  %sc = arith.constant 2.3283064e-10 : f32
  %onef = arith.constant 1.0 : f32
  affine.for %i = 0 to 64 {
    %i32 = arith.index_castui %i : index to i32
    %ip = arith.addi %i32, %one : i32
    %seed = arith.muli %ip, %k : i32
    %r:2 = affine.for %s = 0 to 50 iter_args(%st=%seed, %h=%z) -> (i32,i32) {
      %a1 = arith.shli %st, %c13 : i32
      %a2 = arith.xori %st, %a1 : i32
      %a3 = arith.shrui %a2, %c17 : i32
      %a4 = arith.xori %a2, %a3 : i32
      %a5 = arith.shli %a4, %c5 : i32
      %x = arith.xori %a4, %a5 : i32
      %b1 = arith.shli %x, %c13 : i32
      %b2 = arith.xori %x, %b1 : i32
      %b3 = arith.shrui %b2, %c17 : i32
      %b4 = arith.xori %b2, %b3 : i32
      %b5 = arith.shli %b4, %c5 : i32
      %y = arith.xori %b4, %b5 : i32
      %fx = arith.uitofp %x : i32 to f32
      %fy = arith.uitofp %y : i32 to f32
      %ux = arith.mulf %fx, %sc : f32
      %uy = arith.mulf %fy, %sc : f32
      %xx = arith.mulf %ux, %ux : f32
      %yy = arith.mulf %uy, %uy : f32
      %q = arith.addf %xx, %yy : f32
      %in = arith.cmpf ole, %q, %onef : f32
      %e = arith.extui %in : i1 to i32
      %nh = arith.addi %h, %e : i32
      affine.yield %y, %nh : i32,i32
    }
    affine.store %r#1, %hits[%i] : memref<64xi32>
  }
  %t = affine.for %i = 0 to 64 iter_args(%s=%z64) -> i64 {
    %v = affine.load %hits[%i] : memref<64xi32>
    %w = arith.extsi %v : i32 to i64
    %n = arith.addi %s, %w : i64
    affine.yield %n : i64
  }
  affine.store %t, %total[0] : memref<1xi64>
  return
}
