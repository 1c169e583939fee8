// test: canonical
func.func @of_constants() -> (vector<2x2xi32>, vector<1x3xi32>) {
  %e = arith.constant dense<[[1,2,3],[4,5,6]]> : vector<2x3xi32>
  %0 = vector.extract_strided_slice %e {offsets = [0, 1], sizes = [2, 2], strides = [1, 1]} : vector<2x3xi32> to vector<2x2xi32>
  %1 = vector.extract_strided_slice %e {offsets = [1], sizes = [1], strides = [1]} : vector<2x3xi32> to vector<1x3xi32>
  return %0, %1 : vector<2x2xi32>, vector<1x3xi32>
}

func.func @of_broadcast(%s: f32, %v: vector<4xf32>, %u: vector<1x4xf32>) -> (vector<2x4xf32>, vector<2x2xf32>, vector<2x2xf32>) {
  %a = vector.broadcast %s : f32 to vector<4x4xf32>
  %0 = vector.extract_strided_slice %a {offsets = [1], sizes = [2], strides = [1]} : vector<4x4xf32> to vector<2x4xf32>
  %b = vector.broadcast %v : vector<4xf32> to vector<4x4xf32>
  %1 = vector.extract_strided_slice %b {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]} : vector<4x4xf32> to vector<2x2xf32>
  %c = vector.broadcast %u : vector<1x4xf32> to vector<4x4xf32>
  %2 = vector.extract_strided_slice %c {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]} : vector<4x4xf32> to vector<2x2xf32>
  return %0, %1, %2 : vector<2x4xf32>, vector<2x2xf32>, vector<2x2xf32>
}

func.func @of_slices(%v: vector<8xf32>) -> vector<2xf32> {
  %a = vector.extract_strided_slice %v {offsets = [2], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
  %0 = vector.extract_strided_slice %a {offsets = [1], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
  return %0 : vector<2xf32>
}

func.func @of_insertions(%v: vector<8xf32>, %w: vector<4xf32>) -> (vector<4xf32>, vector<2xf32>, vector<2xf32>) {
  %a = vector.insert_strided_slice %w, %v {offsets = [2], strides = [1]} : vector<4xf32> into vector<8xf32>
  %0 = vector.extract_strided_slice %a {offsets = [2], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
  %1 = vector.extract_strided_slice %a {offsets = [3], sizes = [2], strides = [1]} : vector<8xf32> to vector<2xf32>
  %2 = vector.extract_strided_slice %a {offsets = [6], sizes = [2], strides = [1]} : vector<8xf32> to vector<2xf32>
  return %0, %1, %2 : vector<4xf32>, vector<2xf32>, vector<2xf32>
}

func.func @inserted(%s: f32, %v: vector<8xf32>, %w: vector<4xf32>) -> (vector<8xf32>, vector<8xf32>, vector<4xf32>, vector<4xi32>) {
  %a = vector.broadcast %s : f32 to vector<8xf32>
  %b = vector.broadcast %s : f32 to vector<4xf32>
  %0 = vector.insert_strided_slice %b, %a {offsets = [2], strides = [1]} : vector<4xf32> into vector<8xf32>
  %e = vector.extract_strided_slice %v {offsets = [2], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
  %1 = vector.insert_strided_slice %e, %v {offsets = [2], strides = [1]} : vector<4xf32> into vector<8xf32>
  %2 = vector.insert_strided_slice %w, %w {offsets = [0], strides = [1]} : vector<4xf32> into vector<4xf32>
  %c = arith.constant dense<[1,2]> : vector<2xi32>
  %d = arith.constant dense<[3,4,5,6]> : vector<4xi32>
  %3 = vector.insert_strided_slice %c, %d {offsets = [1], strides = [1]} : vector<2xi32> into vector<4xi32>
  return %0, %1, %2, %3 : vector<8xf32>, vector<8xf32>, vector<4xf32>, vector<4xi32>
}

func.func @rows(%v: vector<4x1x8xf32>) -> vector<1x1x8xf32> {
  %0 = vector.extract_strided_slice %v {offsets = [2, 0, 0], sizes = [1, 1, 8], strides = [1, 1, 1]} : vector<4x1x8xf32> to vector<1x1x8xf32>
  return %0 : vector<1x1x8xf32>
}
