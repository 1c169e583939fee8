// A temporary outside the loop that every iteration writes before it reads:
// parallel only if each thread gets its own; what it holds at the end is seen.
//     t = a[i] + b[i];   out[i] = t * t          for i = 0, 1, ..., 49, in that order

func.func @shared_temporary(%a: memref<50xi32>, %b: memref<50xi32>, %t: memref<i32>, %out: memref<50xi32>) {
  affine.for %i = 0 to 50 {
    %x = affine.load %a[%i] : memref<50xi32>
    %y = affine.load %b[%i] : memref<50xi32>
    %sum = arith.addi %x, %y : i32
    affine.store %sum, %t[] : memref<i32>
    %again = affine.load %t[] : memref<i32>
    %square = arith.muli %again, %again : i32
    affine.store %square, %out[%i] : memref<50xi32>
  }
  return
}
