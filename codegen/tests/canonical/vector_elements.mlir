// test: canonical
func.func @from_elements(%a: f32, %b: f32, %v: vector<2xf32>) -> (vector<2xf32>, vector<4xf32>, vector<2xf32>, vector<2xf32>) {
  %0 = vector.from_elements %a, %b : vector<2xf32>
  %1 = vector.from_elements %a, %a, %a, %a : vector<4xf32>
  %2:2 = vector.to_elements %v : vector<2xf32>
  %3 = vector.from_elements %2#0, %2#1 : vector<2xf32>
  %x = vector.extract %v[0] : f32 from vector<2xf32>
  %y = vector.extract %v[1] : f32 from vector<2xf32>
  %4 = vector.from_elements %x, %y : vector<2xf32>
  return %0, %1, %3, %4 : vector<2xf32>, vector<4xf32>, vector<2xf32>, vector<2xf32>
}

func.func @to_elements(%s: f32, %v: vector<2xf32>) -> (f32, f32, f32, f32) {
  %b = vector.broadcast %s : f32 to vector<2xf32>
  %0:2 = vector.to_elements %b : vector<2xf32>
  %c = vector.broadcast %v : vector<2xf32> to vector<1x2xf32>
  %1:2 = vector.to_elements %c : vector<1x2xf32>
  return %0#0, %0#1, %1#0, %1#1 : f32, f32, f32, f32
}

func.func @in_another_shape(%v: vector<2x2xf32>, %w: vector<8xf32>) -> (vector<4xf32>, vector<2xf32>) {
  %a = vector.extract %v[0, 0] : f32 from vector<2x2xf32>
  %b = vector.extract %v[0, 1] : f32 from vector<2x2xf32>
  %c = vector.extract %v[1, 0] : f32 from vector<2x2xf32>
  %d = vector.extract %v[1, 1] : f32 from vector<2x2xf32>
  %0 = vector.from_elements %a, %b, %c, %d : vector<4xf32>
  %e = vector.extract %w[2] : f32 from vector<8xf32>
  %f = vector.extract %w[3] : f32 from vector<8xf32>
  %1 = vector.from_elements %e, %f : vector<2xf32>
  return %0, %1 : vector<4xf32>, vector<2xf32>
}
