// test: canonical
func.func @constants(%v: vector<4xi32>) -> (vector<4xi32>, vector<4xi32>, vector<4xi32>, vector<4xi1>) {
  %z = arith.constant dense<0> : vector<4xi32>
  %o = arith.constant dense<1> : vector<4xi32>
  %m = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
  %0 = arith.addi %v, %z : vector<4xi32>
  %1 = arith.muli %v, %o : vector<4xi32>
  %2 = arith.subi %m, %m : vector<4xi32>
  %3 = arith.cmpi sgt, %m, %o : vector<4xi32>
  return %0, %1, %2, %3 : vector<4xi32>, vector<4xi32>, vector<4xi32>, vector<4xi1>
}

func.func @elements(%a: f32) -> (f32, f32) {
  %b = vector.broadcast %a : f32 to vector<4xf32>
  %c = arith.addf %b, %b : vector<4xf32>
  %0 = vector.extract %c[2] : f32 from vector<4xf32>
  %d = arith.negf %b : vector<4xf32>
  %1 = vector.extract %d[0] : f32 from vector<4xf32>
  return %0, %1 : f32, f32
}

func.func @reductions(%v: vector<2x3xf32>, %a: f32, %w: vector<1x4xf32>, %b: vector<4xf32>) -> (f32, vector<4xf32>) {
  %0 = vector.multi_reduction <add>, %v, %a [0, 1] : vector<2x3xf32> to f32
  %1 = vector.multi_reduction <maximumf>, %w, %b [0] : vector<1x4xf32> to vector<4xf32>
  return %0, %1 : f32, vector<4xf32>
}

func.func @multiplied(%v: vector<4xf32>) -> (vector<4xf32>) {
  %o = arith.constant dense<1.0> : vector<4xf32>
  %0 = vector.fma %v, %o, %o : vector<4xf32>
  return %0 : vector<4xf32>
}

// differs: @contracted: another order of sums rounds otherwise
func.func @contracted(%a: vector<4x4xf32>, %b: vector<4x4xf32>, %c: vector<4x4xf32>) -> vector<4x4xf32> {
  %z = arith.constant dense<0.0> : vector<4x4xf32>
  %0 = vector.contract {indexing_maps = [affine_map<(m,n,k)->(m,k)>, affine_map<(m,n,k)->(k,n)>, affine_map<(m,n,k)->(m,n)>], iterator_types = ["parallel","parallel","reduction"], kind = #vector.kind<add>} %a, %b, %z : vector<4x4xf32>, vector<4x4xf32> into vector<4x4xf32>
  %1 = arith.addf %0, %c : vector<4x4xf32>
  return %1 : vector<4x4xf32>
}

func.func @interleaved(%a: vector<4xf32>, %b: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>) {
  %i = vector.interleave %a, %b : vector<4xf32> -> vector<8xf32>
  %d:2 = vector.deinterleave %i : vector<8xf32> -> vector<4xf32>
  return %d#0, %d#1 : vector<4xf32>, vector<4xf32>
}

func.func @shuffled(%v: vector<4xf32>) -> vector<4xf32> {
  %0 = vector.shuffle %v, %v [3, 2, 1, 0] : vector<4xf32>, vector<4xf32>
  %1 = vector.shuffle %0, %0 [3, 2, 1, 0] : vector<4xf32>, vector<4xf32>
  return %1 : vector<4xf32>
}
