// A loop swaps two buffers, which a loop around it starts with in the same order each time.
//     three times: b[i] = a[i] + 1, then the names are swapped
// So after the inner loop, b holds 1 and then 3, and a holds 2; the outer loop goes on from there:
//     b = a + 1 = 3, a = b + 1 = 4, b = a + 1 = 5.
//
// test: run --entry=main --arg=zeros --arg=zeros
// expect: arg 0 = [4, 4, 4, 4]
// expect: arg 1 = [5, 5, 5, 5]
func.func @main(%a: memref<4xi32>, %b: memref<4xi32>) {
  affine.for %o = 0 to 2 {
    %x, %y = affine.for %t = 0 to 3 iter_args(%from = %a, %to = %b) -> (memref<4xi32>, memref<4xi32>) {
      affine.for %i = 0 to 4 {
        %one = arith.constant 1 : i32
        %v = affine.load %from[%i] : memref<4xi32>
        %w = arith.addi %v, %one : i32
        affine.store %w, %to[%i] : memref<4xi32>
      }
      affine.yield %to, %from : memref<4xi32>, memref<4xi32>
    }
  }
  return
}
