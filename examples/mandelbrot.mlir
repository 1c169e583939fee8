// mandelbrot: how many steps each point of the complex plane takes to escape.
//
//     z = 0;  count = 0
//     while |z|² <= 4 and count < 28:  z = z² + c;  count = count + 1
//     c = (-1.9716796875 + x / 32) + (-1.2470703125 + y / 32) i
//     for 0 <= y < 80, 0 <= x < 96
//
// Arguments: counts (80 × 96 × i32, written; 28 means "did not escape").
// Every pixel is independent; how long its `scf.while` runs is known only when
// it ends, so neighbouring threads do unequal work. The corner is chosen so that
// no point lies where the count depends on how a device rounds.
//
// Run:  gridloom run examples/mandelbrot.mlir --arg zeros

func.func @mandelbrot(%counts: memref<80x96xi32>) {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %four = arith.constant 4.0 : f32
  %left = arith.constant -1.9716796875 : f32
  %bottom = arith.constant -1.2470703125 : f32
  %pitch = arith.constant 0.03125 : f32
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %limit = arith.constant 28 : i32
  affine.for %y = 0 to 80 {
    affine.for %x = 0 to 96 {
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
      affine.store %result#0, %counts[%y, %x] : memref<80x96xi32>
    }
  }
  return
}
