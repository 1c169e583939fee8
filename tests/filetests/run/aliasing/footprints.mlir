// Where a view with strides lies is known at run time only: what is loaded from `%a` after the store to `%d` is
// what was loaded before, but where the two overlap. `%a` is m[0] to m[3], with m[0] = 0.
//     d = m[8], m[10], m[12], m[14]; the last becomes 5          0 + 0
//     d = m[6], m[4], m[2], m[0]; the last becomes 7             0 + 7
//     d = m[0] and an element 2^61 further on, of which nothing can be said; the first becomes 9     7 + 9
//
// test: run --entry=main --arg=iota
// expect: result 0 = 0
// expect: result 1 = 7
// expect: result 2 = 16
func.func private @around_a_store(%a: memref<4xi32>, %d: memref<?xi32, strided<[?], offset: ?>>, %at: index, %new: i32) -> i32 {
  %x = affine.load %a[0] : memref<4xi32>
  affine.store %new, %d[symbol(%at)] : memref<?xi32, strided<[?], offset: ?>>
  %y = affine.load %a[0] : memref<4xi32>
  %sum = arith.addi %x, %y : i32
  cf.br ^end
^end:
  return %sum : i32
}

func.func private @at(%m: memref<16xi32>, %offset: index, %size: index, %stride: index, %at: index, %new: i32) -> i32 {
  %flat = memref.subview %m[0] [4] [1] : memref<16xi32> to memref<4xi32, strided<[1]>>
  %a = memref.cast %flat : memref<4xi32, strided<[1]>> to memref<4xi32>
  %d = memref.reinterpret_cast %m to offset: [%offset], sizes: [%size], strides: [%stride]
      : memref<16xi32> to memref<?xi32, strided<[?], offset: ?>>
  %sum = call @around_a_store(%a, %d, %at, %new) : (memref<4xi32>, memref<?xi32, strided<[?], offset: ?>>, index, i32) -> i32
  return %sum : i32
}

func.func @main(%m: memref<16xi32>) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  %back = arith.constant -2 : index
  %far = arith.constant 2305843009213693952 : index
  %five = arith.constant 5 : i32
  %seven = arith.constant 7 : i32
  %nine = arith.constant 9 : i32
  %apart = call @at(%m, %c8, %c4, %c2, %c3, %five) : (memref<16xi32>, index, index, index, index, i32) -> i32
  %meeting = call @at(%m, %c6, %c4, %back, %c3, %seven) : (memref<16xi32>, index, index, index, index, i32) -> i32
  %unknown = call @at(%m, %c0, %c2, %far, %c0, %nine) : (memref<16xi32>, index, index, index, index, i32) -> i32
  return %apart, %meeting, %unknown : i32, i32, i32
}
