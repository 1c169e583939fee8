// A dependence of distance 4: iterations closer than that are independent, all
// together they are not. And one of distance 0, which forbids nothing.
//     x[i] = x[i - 4] + y[i];   y[i] = y[i] + 1          for 4 <= i < 100

func.func @distance_four(%x: memref<100xi32>, %y: memref<100xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 4 to 100 {
    %a = affine.load %x[%i - 4] : memref<100xi32>
    %b = affine.load %y[%i] : memref<100xi32>
    %c = arith.addi %a, %b : i32
    affine.store %c, %x[%i] : memref<100xi32>
    %d = arith.addi %b, %one : i32
    affine.store %d, %y[%i] : memref<100xi32>
  }
  return
}
