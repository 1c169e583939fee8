// test: canonical
func.func @extracted(%v: vector<4x[4]xf32>, %i: index) -> (vector<[4]xf32>, f32) {
  %a = vector.extract %v[1] : vector<[4]xf32> from vector<4x[4]xf32>
  %b = vector.broadcast %a : vector<[4]xf32> to vector<2x[4]xf32>
  %c = vector.extract %b[0] : vector<[4]xf32> from vector<2x[4]xf32>
  %d = vector.extract %c[%i] : f32 from vector<[4]xf32>
  return %c, %d : vector<[4]xf32>, f32
}

func.func @masks() -> (vector<[4]xi1>, vector<[4]xi1>, vector<2x[4]xi1>) {
  %c0 = arith.constant 0 : index
  %0 = vector.create_mask %c0 : vector<[4]xi1>
  %1 = vector.constant_mask [4] : vector<[4]xi1>
  %vs = vector.vscale
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %n = arith.muli %vs, %c4 : index
  %2 = vector.create_mask %c2, %n : vector<2x[4]xi1>
  return %0, %1, %2 : vector<[4]xi1>, vector<[4]xi1>, vector<2x[4]xi1>
}

func.func @parts(%v: vector<8xf32>, %s: vector<[4]xf32>) -> vector<8xf32> {
  %0 = vector.scalable.insert %v, %s[0] : vector<8xf32> into vector<[4]xf32>
  %1 = vector.scalable.extract %0[0] : vector<8xf32> from vector<[4]xf32>
  return %1 : vector<8xf32>
}
