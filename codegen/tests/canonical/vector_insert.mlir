// test: canonical
func.func @whole(%v: vector<1x4xf32>, %r: vector<4xf32>, %s: f32, %o: vector<1xf32>) -> (vector<1x4xf32>, vector<1xf32>) {
  %0 = vector.insert %r, %v[0] : vector<4xf32> into vector<1x4xf32>
  %1 = vector.insert %s, %o[0] : f32 into vector<1xf32>
  return %0, %1 : vector<1x4xf32>, vector<1xf32>
}

func.func @chain(%a: f32, %b: f32, %v: vector<2xf32>) -> (vector<2xf32>, vector<2xf32>) {
  %0 = vector.insert %a, %v[0] : f32 into vector<2xf32>
  %1 = vector.insert %b, %0[1] : f32 into vector<2xf32>
  %2 = vector.insert %a, %v[1] : f32 into vector<2xf32>
  %3 = vector.insert %b, %2[1] : f32 into vector<2xf32>
  return %1, %3 : vector<2xf32>, vector<2xf32>
}

func.func @same_scalar(%a: f32) -> (vector<2xf32>, vector<4x2xf32>) {
  %s = vector.broadcast %a : f32 to vector<2xf32>
  %0 = vector.insert %a, %s[1] : f32 into vector<2xf32>
  %t = vector.broadcast %a : f32 to vector<4x2xf32>
  %1 = vector.insert %s, %t[1] : vector<2xf32> into vector<4x2xf32>
  return %0, %1 : vector<2xf32>, vector<4x2xf32>
}

func.func @chain_of_rows(%a: vector<2xf32>, %b: vector<2xf32>, %v: vector<2x2xf32>) -> vector<2x2xf32> {
  %0 = vector.insert %a, %v[0] : vector<2xf32> into vector<2x2xf32>
  %1 = vector.insert %b, %0[1] : vector<2xf32> into vector<2x2xf32>
  return %1 : vector<2x2xf32>
}

func.func @all_of_poison(%a: f32, %b: f32) -> (vector<2xf32>, f32) {
  %p = ub.poison : vector<2xf32>
  %0 = vector.insert %a, %p[0] : f32 into vector<2xf32>
  %1 = vector.insert %b, %0[1] : f32 into vector<2xf32>
  %2 = vector.extract %1[0] : f32 from vector<2xf32>
  return %1, %2 : vector<2xf32>, f32
}
