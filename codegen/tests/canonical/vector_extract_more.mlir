// test: canonical
func.func @of_constants() -> (i32, vector<2xi32>, i32) {
  %d = arith.constant dense<[[1,2],[3,4]]> : vector<2x2xi32>
  %c1 = arith.constant 1 : index
  %0 = vector.extract %d[%c1, 0] : i32 from vector<2x2xi32>
  %1 = vector.extract %d[0] : vector<2xi32> from vector<2x2xi32>
  %s = arith.constant dense<7> : vector<2x2xi32>
  %2 = vector.extract %s[0, 1] : i32 from vector<2x2xi32>
  return %0, %1, %2 : i32, vector<2xi32>, i32
}

func.func @of_elements(%a: f32, %b: f32, %c: f32, %d: f32) -> (vector<2xf32>, f32) {
  %e = vector.from_elements %a, %b, %c, %d : vector<2x2xf32>
  %0 = vector.extract %e[1] : vector<2xf32> from vector<2x2xf32>
  %1 = vector.extract %0[0] : f32 from vector<2xf32>
  return %0, %1 : vector<2xf32>, f32
}

func.func @slice_of_elements(%a: f32, %b: f32, %c: f32, %d: f32) -> (vector<2xf32>) {
  %e = vector.from_elements %a, %b, %c, %d : vector<4xf32>
  %0 = vector.extract_strided_slice %e {offsets = [1], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
  return %0 : vector<2xf32>
}

func.func @put_back(%v: vector<4x8xf32>, %w: vector<8xf32>) -> vector<4x8xf32> {
  %0 = vector.extract %v[1] : vector<8xf32> from vector<4x8xf32>
  %1 = vector.insert %0, %v[1] : vector<8xf32> into vector<4x8xf32>
  return %1 : vector<4x8xf32>
}

func.func @unit_slice(%v: vector<4xf32>, %s: vector<1xf32>, %w: vector<1x4xf32>) -> (vector<4xf32>, vector<1x4xf32>) {
  %0 = vector.insert_strided_slice %s, %v {offsets = [1], strides = [1]} : vector<1xf32> into vector<4xf32>
  %1 = vector.insert_strided_slice %v, %w {offsets = [0, 0], strides = [1]} : vector<4xf32> into vector<1x4xf32>
  return %0, %1 : vector<4xf32>, vector<1x4xf32>
}

func.func @broadcast_units(%v: vector<1xf32>, %w: vector<1x1xf32>) -> (vector<4xf32>, vector<4xf32>, vector<2x4xf32>) {
  %a = vector.shape_cast %w : vector<1x1xf32> to vector<1xf32>
  %0 = vector.broadcast %a : vector<1xf32> to vector<4xf32>
  %1 = vector.broadcast %v : vector<1xf32> to vector<4xf32>
  %b = vector.broadcast %1 : vector<4xf32> to vector<2x4xf32>
  return %0, %1, %b : vector<4xf32>, vector<4xf32>, vector<2x4xf32>
}
