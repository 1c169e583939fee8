// mandelbrot: how many steps each point of the complex plane takes to escape.
//
//     z = 0;  count = 0
//     while |z|² <= 4 and count < 100:  z = z² + c;  count = count + 1
//     c = (-2 + x * 0.015625) + (-1.25 + y * 0.015625) i
//     for 0 <= y < 160, 0 <= x < 192
//
// Arguments: counts (160 × 192 × i32, written; 100 means "did not escape").
// Every pixel is independent; how long its `scf.while` runs is known only when
// it ends, so neighbouring threads do unequal work.
//
// Run:  gridloom run examples/mandelbrot.mlir --arg zeros

func.func @mandelbrot(%counts: memref<160x192xi32>) {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %four = arith.constant 4.0 : f32
  %left = arith.constant -2.0 : f32
  %bottom = arith.constant -1.25 : f32
  %pitch = arith.constant 0.015625 : f32
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %limit = arith.constant 100 : i32
  affine.for %y = 0 to 160 {
    affine.for %x = 0 to 192 {
      %x_i32 = arith.index_cast %x : index to i32
      %y_i32 = arith.index_cast %y : index to i32
      %x_f32 = arith.sitofp %x_i32 : i32 to f32
      %y_f32 = arith.sitofp %y_i32 : i32 to f32
      %dx = arith.mulf %x_f32, %pitch : f32
      %dy = arith.mulf %y_f32, %pitch : f32
      %cr = arith.addf %left, %dx : f32
      %ci = arith.addf %bottom, %dy : f32
      %result:3 = scf.while (%count = %none, %zr = %zero, %zi = %zero) : (i32, f32, f32) -> (i32, f32, f32) {
        %rr = arith.mulf %zr, %zr : f32
        %ii = arith.mulf %zi, %zi : f32
        %norm = arith.addf %rr, %ii : f32
        %near = arith.cmpf ole, %norm, %four : f32
        %left_over = arith.cmpi slt, %count, %limit : i32
        %go = arith.andi %near, %left_over : i1
        scf.condition(%go) %count, %zr, %zi : i32, f32, f32
      } do {
      ^bb0(%count: i32, %zr: f32, %zi: f32):
        %rr = arith.mulf %zr, %zr : f32
        %ii = arith.mulf %zi, %zi : f32
        %ri = arith.mulf %zr, %zi : f32
        %difference = arith.subf %rr, %ii : f32
        %twice = arith.mulf %two, %ri : f32
        %next_r = arith.addf %difference, %cr : f32
        %next_i = arith.addf %twice, %ci : f32
        %next_count = arith.addi %count, %one : i32
        scf.yield %next_count, %next_r, %next_i : i32, f32, f32
      }
      affine.store %result#0, %counts[%y, %x] : memref<160x192xi32>
    }
  }
  return
}
