// A loop nest that its author has already declared parallel, one step not 1.
//     out[i, j] = a[i, j] - 1     for 1 <= i < 30, j = 2, 4, 6, ... < 41; the rest stays.

func.func @parallel_nest(%a: memref<30x41xf32>, %out: memref<30x41xf32>) {
  %one = arith.constant 1.0 : f32
  affine.parallel (%i, %j) = (1, 2) to (30, 41) step (1, 2) {
    %x = affine.load %a[%i, %j] : memref<30x41xf32>
    %y = arith.subf %x, %one : f32
    affine.store %y, %out[%i, %j] : memref<30x41xf32>
  }
  return
}
