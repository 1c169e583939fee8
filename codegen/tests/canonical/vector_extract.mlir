// test: canonical
func.func @of_extracted(%v: vector<2x3x4xf32>) -> (f32, vector<4xf32>, f32) {
  %a = vector.extract %v[1] : vector<3x4xf32> from vector<2x3x4xf32>
  %0 = vector.extract %a[2, 3] : f32 from vector<3x4xf32>
  %1 = vector.extract %a[1] : vector<4xf32> from vector<3x4xf32>
  %c1 = arith.constant 1 : index
  %2 = vector.extract %v[%c1, 0, %c1] : f32 from vector<2x3x4xf32>
  return %0, %1, %2 : f32, vector<4xf32>, f32
}

func.func @of_broadcast(%s: f32, %r: vector<4xf32>, %u: vector<1x4xf32>, %i: index) -> (f32, vector<4xf32>, f32, vector<3x4xf32>, f32, vector<4xf32>) {
  %a = vector.broadcast %s : f32 to vector<3x4xf32>
  %0 = vector.extract %a[%i, 1] : f32 from vector<3x4xf32>
  %1 = vector.extract %a[1] : vector<4xf32> from vector<3x4xf32>
  %b = vector.broadcast %r : vector<4xf32> to vector<2x3x4xf32>
  %2 = vector.extract %b[0, 1, 2] : f32 from vector<2x3x4xf32>
  %3 = vector.extract %b[1] : vector<3x4xf32> from vector<2x3x4xf32>
  %c = vector.broadcast %u : vector<1x4xf32> to vector<3x4xf32>
  %4 = vector.extract %c[2, 3] : f32 from vector<3x4xf32>
  %5 = vector.extract %c[2] : vector<4xf32> from vector<3x4xf32>
  return %0, %1, %2, %3, %4, %5 : f32, vector<4xf32>, f32, vector<3x4xf32>, f32, vector<4xf32>
}

func.func @of_shape_cast(%v: vector<8xf32>, %w: vector<2x4xf32>) -> (f32, f32, vector<4xf32>) {
  %a = vector.shape_cast %v : vector<8xf32> to vector<2x4xf32>
  %0 = vector.extract %a[1, 2] : f32 from vector<2x4xf32>
  %b = vector.shape_cast %w : vector<2x4xf32> to vector<8xf32>
  %1 = vector.extract %b[6] : f32 from vector<8xf32>
  %c = vector.shape_cast %w : vector<2x4xf32> to vector<2x1x4xf32>
  %2 = vector.extract %c[1, 0] : vector<4xf32> from vector<2x1x4xf32>
  return %0, %1, %2 : f32, f32, vector<4xf32>
}

func.func @of_slice(%v: vector<8x4xf32>) -> (f32, vector<4xf32>, vector<4xf32>) {
  %a = vector.extract_strided_slice %v {offsets = [2], sizes = [4], strides = [1]} : vector<8x4xf32> to vector<4x4xf32>
  %0 = vector.extract %a[1, 3] : f32 from vector<4x4xf32>
  %1 = vector.extract %a[1] : vector<4xf32> from vector<4x4xf32>
  %b = vector.extract_strided_slice %v {offsets = [2], sizes = [1], strides = [1]} : vector<8x4xf32> to vector<1x4xf32>
  %2 = vector.extract %b[0] : vector<4xf32> from vector<1x4xf32>
  return %0, %1, %2 : f32, vector<4xf32>, vector<4xf32>
}

func.func @of_inserted(%v: vector<2x4xf32>, %r: vector<4xf32>, %s: f32) -> (f32, f32, vector<4xf32>, vector<4xf32>) {
  %a = vector.insert %r, %v[1] : vector<4xf32> into vector<2x4xf32>
  %0 = vector.extract %a[1, 2] : f32 from vector<2x4xf32>
  %1 = vector.extract %a[0, 2] : f32 from vector<2x4xf32>
  %2 = vector.extract %a[1] : vector<4xf32> from vector<2x4xf32>
  %3 = vector.extract %a[0] : vector<4xf32> from vector<2x4xf32>
  return %0, %1, %2, %3 : f32, f32, vector<4xf32>, vector<4xf32>
}

func.func @of_transposed(%v: vector<2x4xf32>) -> (f32) {
  %a = vector.transpose %v, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
  %0 = vector.extract %a[3, 1] : f32 from vector<4x2xf32>
  return %0 : f32
}

func.func @of_inserted_slice(%v: vector<8x4xf32>, %w: vector<2x4xf32>, %z: vector<2x2xf32>) -> (vector<4xf32>, vector<4xf32>, f32, f32) {
  %a = vector.insert_strided_slice %w, %v {offsets = [2, 0], strides = [1, 1]} : vector<2x4xf32> into vector<8x4xf32>
  %0 = vector.extract %a[3] : vector<4xf32> from vector<8x4xf32>
  %1 = vector.extract %a[5] : vector<4xf32> from vector<8x4xf32>
  %b = vector.insert_strided_slice %z, %v {offsets = [2, 1], strides = [1, 1]} : vector<2x2xf32> into vector<8x4xf32>
  %2 = vector.extract %b[3, 1] : f32 from vector<8x4xf32>
  %3 = vector.extract %b[3, 0] : f32 from vector<8x4xf32>
  return %0, %1, %2, %3 : vector<4xf32>, vector<4xf32>, f32, f32
}

func.func @of_shuffled(%v: vector<2xf32>, %w: vector<2xf32>) -> (f32, f32, f32) {
  %s = vector.shuffle %v, %w [0, 3, -1] : vector<2xf32>, vector<2xf32>
  %0 = vector.extract %s[0] : f32 from vector<3xf32>
  %1 = vector.extract %s[1] : f32 from vector<3xf32>
  %2 = vector.extract %s[2] : f32 from vector<3xf32>
  return %0, %1, %2 : f32, f32, f32
}

func.func @of_unit_dimensions(%v: vector<1x4xf32>) -> (vector<4xf32>, vector<2x2xf32>) {
  %a = vector.shape_cast %v : vector<1x4xf32> to vector<1x2x2xf32>
  %0 = vector.extract %a[0] : vector<2x2xf32> from vector<1x2x2xf32>
  %b = vector.shape_cast %v : vector<1x4xf32> to vector<1x1x4xf32>
  %1 = vector.extract %b[0, 0] : vector<4xf32> from vector<1x1x4xf32>
  return %1, %0 : vector<4xf32>, vector<2x2xf32>
}

func.func @of_constant_mask(%v: vector<2xf32>) -> (vector<4xi1>, vector<3x4xi1>, vector<4xi1>) {
  %c = vector.constant_mask [2, 3] : vector<3x4xi1>
  %0 = vector.extract %c[1] : vector<4xi1> from vector<3x4xi1>
  %1 = vector.extract %c[2] : vector<4xi1> from vector<3x4xi1>
  return %0, %c, %1 : vector<4xi1>, vector<3x4xi1>, vector<4xi1>
}

func.func @known_position(%v: vector<4xf32>, %s: f32) -> (vector<4xf32>, f32) {
  %c2 = arith.constant 2 : index
  %0 = vector.insert %s, %v[%c2] : f32 into vector<4xf32>
  %c9 = arith.constant 9 : index
  %1 = vector.extract %v[%c9] : f32 from vector<4xf32>
  return %0, %1 : vector<4xf32>, f32
}

func.func @poison() -> (f32, vector<4xf32>, vector<2xf32>, vector<2x4xf32>) {
  %p = ub.poison : vector<4xf32>
  %0 = vector.extract %p[1] : f32 from vector<4xf32>
  %q = ub.poison : f32
  %1 = vector.broadcast %q : f32 to vector<4xf32>
  %2 = vector.extract_strided_slice %p {offsets = [1], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
  %3 = vector.broadcast %p : vector<4xf32> to vector<2x4xf32>
  return %0, %1, %2, %3 : f32, vector<4xf32>, vector<2xf32>, vector<2x4xf32>
}
