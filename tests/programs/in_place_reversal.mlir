// The second half of the loop reads what the first half has written.
//     x[i] = x[100 - i] + 1          for i = 0, 1, ..., 100, in that order

func.func @in_place_reversal(%x: memref<101xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 101 {
    %a = affine.load %x[-%i + 100] : memref<101xi32>
    %b = arith.addi %a, %one : i32
    affine.store %b, %x[%i] : memref<101xi32>
  }
  return
}
