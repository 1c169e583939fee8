// A helper handed the same array under two names: what it writes through one
// it reads through the other. And the same helper on two different arrays.
//     shift(to, from):  to[i] = from[i - 1] + 1   for i = 1, 2, ..., 49, in that order
//     shift(x, x);  shift(y, x)

func.func @same_array_twice(%x: memref<50xi32>, %y: memref<50xi32>) {
  call @shift(%x, %x) : (memref<50xi32>, memref<50xi32>) -> ()
  call @shift(%y, %x) : (memref<50xi32>, memref<50xi32>) -> ()
  return
}

func.func private @shift(%to: memref<50xi32>, %from: memref<50xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 1 to 50 {
    %a = affine.load %from[%i - 1] : memref<50xi32>
    %b = arith.addi %a, %one : i32
    affine.store %b, %to[%i] : memref<50xi32>
  }
  return
}
