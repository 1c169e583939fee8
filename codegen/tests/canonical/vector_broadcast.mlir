// test: canonical
func.func @of_broadcast(%s: f32, %v: vector<4xf32>) -> (vector<2x4xf32>, vector<3x2x4xf32>) {
  %a = vector.broadcast %s : f32 to vector<4xf32>
  %0 = vector.broadcast %a : vector<4xf32> to vector<2x4xf32>
  %b = vector.broadcast %v : vector<4xf32> to vector<2x4xf32>
  %1 = vector.broadcast %b : vector<2x4xf32> to vector<3x2x4xf32>
  return %0, %1 : vector<2x4xf32>, vector<3x2x4xf32>
}

func.func @cast(%v: vector<4xf32>) -> (vector<1x4xf32>, vector<1x1x4xf32>, vector<4xf32>) {
  %0 = vector.broadcast %v : vector<4xf32> to vector<1x4xf32>
  %1 = vector.shape_cast %0 : vector<1x4xf32> to vector<1x1x4xf32>
  %a = vector.broadcast %v : vector<4xf32> to vector<1x4xf32>
  %2 = vector.shape_cast %a : vector<1x4xf32> to vector<4xf32>
  return %0, %1, %2 : vector<1x4xf32>, vector<1x1x4xf32>, vector<4xf32>
}

// differs: @cast_further: a stretched dimension repeats element by element
func.func @cast_further(%v: vector<4xf32>, %u: vector<2x1xf32>) -> (vector<2x3x4xf32>, vector<2x2x2xf32>, vector<8x1xf32>) {
  %a = vector.broadcast %v : vector<4xf32> to vector<6x4xf32>
  %0 = vector.shape_cast %a : vector<6x4xf32> to vector<2x3x4xf32>
  %b = vector.broadcast %u : vector<2x1xf32> to vector<2x4xf32>
  %1 = vector.shape_cast %b : vector<2x4xf32> to vector<2x2x2xf32>
  %2 = vector.shape_cast %b : vector<2x4xf32> to vector<8x1xf32>
  return %0, %1, %2 : vector<2x3x4xf32>, vector<2x2x2xf32>, vector<8x1xf32>
}

func.func @unit(%s: f32) -> (f32, vector<1xf32>) {
  %a = vector.broadcast %s : f32 to vector<1xf32>
  %0 = vector.extract %a[0] : f32 from vector<1xf32>
  %1 = vector.shape_cast %a : vector<1xf32> to vector<1xf32>
  return %0, %1 : f32, vector<1xf32>
}
