// test: canonical
func.func @picks(%v: vector<2xf32>, %w: vector<2xf32>, %s: f32) -> (vector<2xf32>, vector<2xf32>, vector<4xf32>, vector<3xi32>, vector<3xf32>, vector<4xf32>) {
  %0 = vector.shuffle %v, %w [0, 1] : vector<2xf32>, vector<2xf32>
  %1 = vector.shuffle %v, %w [2, 3] : vector<2xf32>, vector<2xf32>
  %2 = vector.shuffle %v, %w [0, 2, 1, 3] : vector<2xf32>, vector<2xf32>
  %a = arith.constant dense<[1,2]> : vector<2xi32>
  %b = arith.constant dense<[3,4]> : vector<2xi32>
  %3 = vector.shuffle %a, %b [3, 0, 1] : vector<2xi32>, vector<2xi32>
  %c = vector.broadcast %s : f32 to vector<2xf32>
  %4 = vector.shuffle %c, %c [1, 2, 3] : vector<2xf32>, vector<2xf32>
  %p = ub.poison : vector<2xf32>
  %5 = vector.shuffle %v, %p [0, 1, -1, 2] : vector<2xf32>, vector<2xf32>
  return %0, %1, %2, %3, %4, %5 : vector<2xf32>, vector<2xf32>, vector<4xf32>, vector<3xi32>, vector<3xf32>, vector<4xf32>
}

func.func @of_scalars(%v: vector<f32>, %w: vector<f32>) -> vector<2xf32> {
  %0 = vector.shuffle %v, %w [0, 1] : vector<f32>, vector<f32>
  return %0 : vector<2xf32>
}
