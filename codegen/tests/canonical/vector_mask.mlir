// test: canonical
func.func @known_sizes() -> (vector<4xi1>, vector<4x4xi1>, vector<4x4xi1>, vector<8xi1>) {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %0 = vector.create_mask %c3 : vector<4xi1>
  %1 = vector.create_mask %c3, %c4 : vector<4x4xi1>
  %2 = vector.create_mask %c0, %c4 : vector<4x4xi1>
  %c10 = arith.constant 10 : index
  %3 = vector.create_mask %c10 : vector<8xi1>
  return %0, %1, %2, %3 : vector<4xi1>, vector<4x4xi1>, vector<4x4xi1>, vector<8xi1>
}

func.func @unknown_sizes(%n: index) -> (vector<4xi1>, vector<4xi1>, vector<4x4xi1>) {
  %0 = vector.constant_mask [2] : vector<4xi1>
  %c-1 = arith.constant -1 : index
  %1 = vector.create_mask %c-1 : vector<4xi1>
  %c4 = arith.constant 4 : index
  %2 = vector.create_mask %n, %c4 : vector<4x4xi1>
  return %0, %1, %2 : vector<4xi1>, vector<4xi1>, vector<4x4xi1>
}

func.func @around(%v: vector<4xf32>, %m: memref<8xf32>, %n: index, %k: vector<4xi1>) -> (f32, f32, vector<4xf32>) {
  %z = arith.constant 0.0 : f32
  %t = vector.constant_mask [4] : vector<4xi1>
  %0 = vector.mask %t { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
  %1 = vector.mask %k { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
  %2 = vector.mask %k { vector.yield %v : vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  vector.mask %k { } : vector<4xi1>
  return %0, %1, %2 : f32, f32, vector<4xf32>
}

func.func @rows(%n: index, %m: index) -> (vector<4xi1>, vector<4xi1>, i1) {
  %a = vector.create_mask %n, %m : vector<3x4xi1>
  %c2 = arith.constant 2 : index
  %b = vector.create_mask %c2, %m : vector<3x4xi1>
  %0 = vector.extract %b[1] : vector<4xi1> from vector<3x4xi1>
  %1 = vector.extract %b[2] : vector<4xi1> from vector<3x4xi1>
  %c = vector.constant_mask [2, 3] : vector<3x4xi1>
  %2 = vector.extract %c[1, 3] : i1 from vector<3x4xi1>
  return %0, %1, %2 : vector<4xi1>, vector<4xi1>, i1
}

func.func @transposed(%n: index, %m: index) -> (vector<4x3xi1>, vector<4x3xi1>) {
  %a = vector.create_mask %n, %m : vector<3x4xi1>
  %0 = vector.transpose %a, [1, 0] : vector<3x4xi1> to vector<4x3xi1>
  %b = vector.constant_mask [2, 3] : vector<3x4xi1>
  %1 = vector.transpose %b, [1, 0] : vector<3x4xi1> to vector<4x3xi1>
  return %0, %1 : vector<4x3xi1>, vector<4x3xi1>
}

func.func @slices(%n: index) -> (vector<2xi1>, vector<2x2xi1>, vector<2xi1>) {
  %a = vector.constant_mask [3] : vector<4xi1>
  %0 = vector.extract_strided_slice %a {offsets = [2], sizes = [2], strides = [1]} : vector<4xi1> to vector<2xi1>
  %b = vector.constant_mask [3, 1] : vector<4x4xi1>
  %1 = vector.extract_strided_slice %b {offsets = [2, 2], sizes = [2, 2], strides = [1, 1]} : vector<4x4xi1> to vector<2x2xi1>
  %c = vector.create_mask %n : vector<4xi1>
  %2 = vector.extract_strided_slice %c {offsets = [1], sizes = [2], strides = [1]} : vector<4xi1> to vector<2xi1>
  return %0, %1, %2 : vector<2xi1>, vector<2x2xi1>, vector<2xi1>
}

func.func @cast(%n: index) -> (vector<4xi1>, vector<4x1xi1>, vector<3xi1>) {
  %c1 = arith.constant 1 : index
  %a = vector.create_mask %n, %c1 : vector<4x1xi1>
  %0 = vector.shape_cast %a : vector<4x1xi1> to vector<4xi1>
  %b = vector.create_mask %n : vector<4xi1>
  %1 = vector.shape_cast %b : vector<4xi1> to vector<4x1xi1>
  %c = vector.constant_mask [2, 1] : vector<3x1xi1>
  %2 = vector.shape_cast %c : vector<3x1xi1> to vector<3xi1>
  return %0, %1, %2 : vector<4xi1>, vector<4x1xi1>, vector<3xi1>
}
