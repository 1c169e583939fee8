// test: canonical
func.func @same(%v: vector<2x4xf32>) -> (vector<2x4xf32>, vector<2x4xf32>, vector<2x4xf32>, vector<2x4xf32>) {
  %0 = vector.shape_cast %v : vector<2x4xf32> to vector<2x4xf32>
  %1 = vector.transpose %v, [0, 1] : vector<2x4xf32> to vector<2x4xf32>
  %2 = vector.broadcast %v : vector<2x4xf32> to vector<2x4xf32>
  %3 = vector.bitcast %v : vector<2x4xf32> to vector<2x4xf32>
  return %0, %1, %2, %3 : vector<2x4xf32>, vector<2x4xf32>, vector<2x4xf32>, vector<2x4xf32>
}

func.func @undone(%v: vector<2x4xf32>) -> (vector<2x4xf32>, vector<2x4xf32>, vector<2x4xf32>) {
  %a = vector.shape_cast %v : vector<2x4xf32> to vector<8xf32>
  %0 = vector.shape_cast %a : vector<8xf32> to vector<2x4xf32>
  %b = vector.transpose %v, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
  %1 = vector.transpose %b, [1, 0] : vector<4x2xf32> to vector<2x4xf32>
  %c = vector.bitcast %v : vector<2x4xf32> to vector<2x8xf16>
  %2 = vector.bitcast %c : vector<2x8xf16> to vector<2x4xf32>
  return %0, %1, %2 : vector<2x4xf32>, vector<2x4xf32>, vector<2x4xf32>
}

func.func @constants() -> (vector<4xi32>, i32, vector<2xi32>, vector<2x2xi32>, vector<4xi32>, vector<2x3xi32>) {
  %c = arith.constant 7 : i32
  %0 = vector.broadcast %c : i32 to vector<4xi32>
  %m = arith.constant dense<[[1, 2], [3, 4]]> : vector<2x2xi32>
  %1 = vector.extract %m[1, 0] : i32 from vector<2x2xi32>
  %2 = vector.extract %m[1] : vector<2xi32> from vector<2x2xi32>
  %3 = vector.insert %c, %m [0, 1] : i32 into vector<2x2xi32>
  %4 = vector.shape_cast %m : vector<2x2xi32> to vector<4xi32>
  %s = arith.constant dense<5> : vector<3x2xi32>
  %5 = vector.transpose %s, [1, 0] : vector<3x2xi32> to vector<2x3xi32>
  return %0, %1, %2, %3, %4, %5 : vector<4xi32>, i32, vector<2xi32>, vector<2x2xi32>, vector<4xi32>, vector<2x3xi32>
}

func.func @elements(%a: f32, %b: f32, %v: vector<4xf32>) -> (f32, f32, vector<2xf32>, f32, f32) {
  %0 = vector.from_elements %a, %b : vector<2xf32>
  %1 = vector.extract %0[1] : f32 from vector<2xf32>
  %2 = vector.broadcast %a : f32 to vector<4x4xf32>
  %3 = vector.extract %2[2, 1] : f32 from vector<4x4xf32>
  %c1 = arith.constant 1.0 : f32
  %c2 = arith.constant 2.0 : f32
  %4 = vector.from_elements %c1, %c2 : vector<2xf32>
  %5 = vector.insert %b, %v [2] : f32 into vector<4xf32>
  %6 = vector.extract %5[2] : f32 from vector<4xf32>
  %7:2 = vector.to_elements %0 : vector<2xf32>
  return %1, %3, %4, %6, %7#0 : f32, f32, vector<2xf32>, f32, f32
}

func.func @slices(%v: vector<4xf32>) -> (vector<4xf32>, vector<2xf32>, vector<4xi1>, vector<4xi1>) {
  %0 = vector.extract_strided_slice %v {offsets = [0], sizes = [4], strides = [1]} : vector<4xf32> to vector<4xf32>
  %c = arith.constant dense<2.5> : vector<4xf32>
  %1 = vector.extract_strided_slice %c {offsets = [1], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
  %2 = vector.constant_mask [4] : vector<4xi1>
  %3 = vector.constant_mask [0] : vector<4xi1>
  return %0, %1, %2, %3 : vector<4xf32>, vector<2xf32>, vector<4xi1>, vector<4xi1>
}
