// test: run --arg=iota --arg=zeros
// expect: arg 1 = [10, 11, 12, 13, 0, 2, 4, 6, 3, 9, 3, 3, 7, 6, 5, 4, 5, 7, 6, 9, 0, 1, 9, 3, 6, 4, 7, 5]
// test: roundtrip
// What moves elements about, by constant and computed positions. The argument holds 0, 1, …, 7.
func.func @elements(%x: memref<8xf32>, %y: memref<28xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %c16 = arith.constant 16 : index
  %c20 = arith.constant 20 : index
  %c24 = arith.constant 24 : index
  %nine = arith.constant 9.0 : f32
  %low = vector.load %x[%c0] : memref<8xf32>, vector<4xf32>
  %high = vector.load %x[%c4] : memref<8xf32>, vector<4xf32>
  // 0..3 + 10 = 10, 11, 12, 13
  %ten = arith.constant dense<10.0> : vector<4xf32>
  %a = arith.addf %low, %ten : vector<4xf32>
  vector.store %a, %y[%c0] : memref<28xf32>, vector<4xf32>
  // 0..3 doubled = 0, 2, 4, 6
  %b = arith.addf %low, %low : vector<4xf32>
  vector.store %b, %y[%c4] : memref<28xf32>, vector<4xf32>
  // [3, 3, 3, 3] with 9 at the computed position 1 = 3, 9, 3, 3
  %three = vector.extract %low[3] : f32 from vector<4xf32>
  %threes = vector.broadcast %three : f32 to vector<4xf32>
  %c = vector.insert %nine, %threes[%c1] : f32 into vector<4xf32>
  vector.store %c, %y[%c8] : memref<28xf32>, vector<4xf32>
  // 4..7 from the last on = 7, 6, 5, 4
  %d = vector.shuffle %high, %high [3, 2, 5, 0] : vector<4xf32>, vector<4xf32>
  vector.store %d, %y[%c12] : memref<28xf32>, vector<4xf32>
  // The computed element 1 of 4..7 is 5; 7, 6 by name; 9
  %five = vector.extract %high[%c1] : f32 from vector<4xf32>
  %p:4 = vector.to_elements %high : vector<4xf32>
  %e = vector.from_elements %five, %p#3, %p#2, %nine : vector<4xf32>
  vector.store %e, %y[%c16] : memref<28xf32>, vector<4xf32>
  // 0, 1, 2, 3 with 9 at 2 = 0, 1, 9, 3
  %f = vector.insert %nine, %low[2] : f32 into vector<4xf32>
  vector.store %f, %y[%c20] : memref<28xf32>, vector<4xf32>
  // The second half of 4..7 between the first = 6, 4, 7, 5
  %g0 = vector.extract_strided_slice %high {offsets = [2], sizes = [2], strides = [1]}
      : vector<4xf32> to vector<2xf32>
  %g1 = vector.extract_strided_slice %high {offsets = [0], sizes = [2], strides = [1]}
      : vector<4xf32> to vector<2xf32>
  %g = vector.interleave %g0, %g1 : vector<2xf32> -> vector<4xf32>
  vector.store %g, %y[%c24] : memref<28xf32>, vector<4xf32>
  return
}
