// test: canonical
func.func @added(%a: vector<2x3xi32>, %b: vector<3x2xi32>, %c: vector<2x2xi32>) -> vector<2x2xi32> {
  %z = arith.constant dense<0> : vector<2x2xi32>
  %x = vector.contract {indexing_maps = [affine_map<(i,j,k)->(i,k)>, affine_map<(i,j,k)->(k,j)>, affine_map<(i,j,k)->(i,j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %z : vector<2x3xi32>, vector<3x2xi32> into vector<2x2xi32>
  %y = arith.addi %x, %c : vector<2x2xi32>
  return %y : vector<2x2xi32>
}

func.func @either_side(%a: vector<3xi8>, %b: vector<3xi8>, %c: i32) -> i32 {
  %z = arith.constant 0 : i32
  %x = vector.contract {indexing_maps = [affine_map<(k)->(k)>, affine_map<(k)->(k)>, affine_map<(k)->()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %a, %b, %z : vector<3xi8>, vector<3xi8> into i32
  %y = arith.addi %c, %x : i32
  return %y : i32
}

func.func @products(%a: vector<2x3xi32>, %b: vector<3x2xi32>, %c: vector<2x2xi32>) -> vector<2x2xi32> {
  %z = arith.constant dense<1> : vector<2x2xi32>
  %x = vector.contract {indexing_maps = [affine_map<(i,j,k)->(i,k)>, affine_map<(i,j,k)->(k,j)>, affine_map<(i,j,k)->(i,j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<mul>} %a, %b, %z : vector<2x3xi32>, vector<3x2xi32> into vector<2x2xi32>
  %y = arith.addi %x, %c : vector<2x2xi32>
  return %y : vector<2x2xi32>
}

// differs: @maximum: a sum is no maximum
func.func @maximum(%a: vector<2x3xi32>, %b: vector<3x2xi32>, %c: vector<2x2xi32>) -> vector<2x2xi32> {
  %z = arith.constant dense<0> : vector<2x2xi32>
  %x = vector.contract {indexing_maps = [affine_map<(i,j,k)->(i,k)>, affine_map<(i,j,k)->(k,j)>, affine_map<(i,j,k)->(i,j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<maxsi>} %a, %b, %z : vector<2x3xi32>, vector<3x2xi32> into vector<2x2xi32>
  %y = arith.addi %c, %x : vector<2x2xi32>
  return %y : vector<2x2xi32>
}

// differs: @twice_itself: one contraction is enough
func.func @twice_itself(%a: vector<3xi8>, %b: vector<3xi8>) -> i32 {
  %z = arith.constant 0 : i32
  %x = vector.contract {indexing_maps = [affine_map<(k)->(k)>, affine_map<(k)->(k)>, affine_map<(k)->()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %a, %b, %z : vector<3xi8>, vector<3xi8> into i32
  %y = arith.addi %x, %x : i32
  return %y : i32
}

func.func @anywhere_in_equal_elements(%i: index) -> f32 {
  %b = arith.constant dense<2.0> : vector<3x4xf32>
  %x = vector.extract %b[%i, 1] : f32 from vector<3x4xf32>
  return %x : f32
}
