// Steps of z² + c, at most 10, while |z| <= 2, for c = -2, -1, 0, 1, 2 on the real line. By hand:
// c = 1 gives 0, 1, 2, 5: 3 steps; c = 2 gives 0, 2, 6: 2 steps; the others never leave.
//
// test: run --arg=zeros
// expect: arg 0 = [10, 10, 10, 3, 2]
func.func @mandelbrot(%out: memref<5xi32>) {
  %two = arith.constant 2.0 : f32
  %none = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %most = arith.constant 10 : i32
  %zero = complex.create %none, %none : complex<f32>
  affine.for %p = 0 to 5 {
    %i = arith.index_cast %p : index to i32
    %x = arith.sitofp %i : i32 to f32
    %re = arith.subf %x, %two : f32
    %c = complex.create %re, %none : complex<f32>
    %r:2 = scf.while (%z = %zero, %n = %c0) : (complex<f32>, i32) -> (i32, complex<f32>) {
      %abs = complex.abs %z : complex<f32>
      %near = arith.cmpf ole, %abs, %two : f32
      %few = arith.cmpi slt, %n, %most : i32
      %on = arith.andi %near, %few : i1
      scf.condition(%on) %n, %z : i32, complex<f32>
    } do {
    ^bb0(%n: i32, %z: complex<f32>):
      %square = complex.mul %z, %z : complex<f32>
      %next = complex.add %square, %c : complex<f32>
      %m = arith.addi %n, %c1 : i32
      scf.yield %next, %m : complex<f32>, i32
    }
    affine.store %r#0, %out[%p] : memref<5xi32>
  }
  return
}
