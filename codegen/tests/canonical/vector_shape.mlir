// test: canonical
func.func @of_cast(%v: vector<8xf32>, %s: f32) -> (vector<4x2xf32>, vector<2x4xf32>, vector<4xf32>) {
  %a = vector.shape_cast %v : vector<8xf32> to vector<2x4xf32>
  %0 = vector.shape_cast %a : vector<2x4xf32> to vector<4x2xf32>
  %b = vector.broadcast %s : f32 to vector<8xf32>
  %1 = vector.shape_cast %b : vector<8xf32> to vector<2x4xf32>
  %e = vector.from_elements %s, %s, %s, %s : vector<2x2xf32>
  %2 = vector.shape_cast %e : vector<2x2xf32> to vector<4xf32>
  return %0, %1, %2 : vector<4x2xf32>, vector<2x4xf32>, vector<4xf32>
}

func.func @of_elements(%s: f32, %t: f32) -> (vector<4xf32>) {
  %e = vector.from_elements %s, %t, %s, %s : vector<2x2xf32>
  %2 = vector.shape_cast %e : vector<2x2xf32> to vector<4xf32>
  return %2 : vector<4xf32>
}

func.func @of_transposed(%v: vector<1x8xf32>) -> (vector<8xf32>) {
  %0 = vector.transpose %v, [1, 0] : vector<1x8xf32> to vector<8x1xf32>
  %a = vector.shape_cast %0 : vector<8x1xf32> to vector<8xf32>
  return %a : vector<8xf32>
}

func.func @transposed(%v: vector<8xf32>) -> (vector<8x1xf32>) {
  %a = vector.shape_cast %v : vector<8xf32> to vector<1x8xf32>
  %0 = vector.transpose %a, [1, 0] : vector<1x8xf32> to vector<8x1xf32>
  return %0 : vector<8x1xf32>
}

func.func @of_transposed_again(%v: vector<2x3x4xf32>, %s: f32, %r: vector<1x4xf32>) -> (vector<3x4x2xf32>, vector<4x2xf32>, vector<4x1xf32>) {
  %a = vector.transpose %v, [2, 0, 1] : vector<2x3x4xf32> to vector<4x2x3xf32>
  %0 = vector.transpose %a, [2, 0, 1] : vector<4x2x3xf32> to vector<3x4x2xf32>
  %b = vector.broadcast %s : f32 to vector<2x4xf32>
  %1 = vector.transpose %b, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
  %2 = vector.transpose %r, [1, 0] : vector<1x4xf32> to vector<4x1xf32>
  return %0, %1, %2 : vector<3x4x2xf32>, vector<4x2xf32>, vector<4x1xf32>
}

func.func @elements_transposed(%a: f32, %b: f32, %c: f32, %d: f32, %w: vector<4xf32>) -> (vector<2x2xf32>, vector<4x2xf32>) {
  %e = vector.from_elements %a, %b, %c, %d : vector<2x2xf32>
  %0 = vector.transpose %e, [1, 0] : vector<2x2xf32> to vector<2x2xf32>
  %f = vector.broadcast %w : vector<4xf32> to vector<2x4xf32>
  %1 = vector.transpose %f, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
  return %0, %1 : vector<2x2xf32>, vector<4x2xf32>
}

func.func @broadcast_transposed(%w: vector<1x4xf32>) -> vector<3x2x4xf32> {
  %f = vector.broadcast %w : vector<1x4xf32> to vector<2x3x4xf32>
  %1 = vector.transpose %f, [1, 0, 2] : vector<2x3x4xf32> to vector<3x2x4xf32>
  return %1 : vector<3x2x4xf32>
}

func.func @constant_transposed() -> (vector<3x2xi32>) {
  %e = arith.constant dense<[[1,2,3],[4,5,6]]> : vector<2x3xi32>
  %0 = vector.transpose %e, [1, 0] : vector<2x3xi32> to vector<3x2xi32>
  return %0 : vector<3x2xi32>
}

func.func @bitcasts(%v: vector<4xf32>) -> (vector<4xi32>, vector<4xf32>, vector<2xi32>) {
  %a = vector.bitcast %v : vector<4xf32> to vector<2xi64>
  %0 = vector.bitcast %a : vector<2xi64> to vector<4xi32>
  %b = vector.bitcast %v : vector<4xf32> to vector<4xi32>
  %1 = vector.bitcast %b : vector<4xi32> to vector<4xf32>
  %c = arith.constant dense<1.0> : vector<2xf32>
  %2 = vector.bitcast %c : vector<2xf32> to vector<2xi32>
  return %0, %1, %2 : vector<4xi32>, vector<4xf32>, vector<2xi32>
}

func.func @bitcasts_of_constants() -> (vector<2xf32>, vector<4xi16>, vector<4xi16>) {
  %c = arith.constant dense<[1065353216, 0]> : vector<2xi32>
  %0 = vector.bitcast %c : vector<2xi32> to vector<2xf32>
  %1 = vector.bitcast %c : vector<2xi32> to vector<4xi16>
  %d = arith.constant dense<65537> : vector<2xi32>
  %2 = vector.bitcast %d : vector<2xi32> to vector<4xi16>
  return %0, %1, %2 : vector<2xf32>, vector<4xi16>, vector<4xi16>
}
