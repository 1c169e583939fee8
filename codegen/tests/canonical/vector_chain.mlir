// test: canonical
func.func @through_transpositions(%v: vector<2x3x5xf32>, %x: f32) -> (vector<5xf32>, vector<5xf32>) {
  %a = vector.transpose %v, [2, 1, 0] : vector<2x3x5xf32> to vector<5x3x2xf32>
  %b = vector.insert %x, %a[4, 0, 1] : f32 into vector<5x3x2xf32>
  %c = vector.transpose %b, [2, 1, 0] : vector<5x3x2xf32> to vector<2x3x5xf32>
  %beside = vector.extract %c[0, 1] : vector<5xf32> from vector<2x3x5xf32>
  %across = vector.extract %c[1, 0] : vector<5xf32> from vector<2x3x5xf32>
  return %beside, %across : vector<5xf32>, vector<5xf32>
}

func.func @to_what_was_inserted(%v: vector<2x3xf32>, %w: vector<2xf32>, %x: f32) -> (f32, f32, f32) {
  %a = vector.transpose %v, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  %b = vector.insert %w, %a[2] : vector<2xf32> into vector<3x2xf32>
  %c = vector.transpose %b, [1, 0] : vector<3x2xf32> to vector<2x3xf32>
  %d = vector.insert %x, %c[0, 0] : f32 into vector<2x3xf32>
  %e = vector.transpose %d, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  %p = vector.extract %e[2, 1] : f32 from vector<3x2xf32>
  %q = vector.extract %e[0, 0] : f32 from vector<3x2xf32>
  %r = vector.extract %e[1, 1] : f32 from vector<3x2xf32>
  return %p, %q, %r : f32, f32, f32
}

func.func @turned_inside(%v: vector<2x3x4xf32>, %w: vector<4x3xf32>) -> vector<4xf32> {
  %a = vector.transpose %v, [0, 2, 1] : vector<2x3x4xf32> to vector<2x4x3xf32>
  %b = vector.insert %w, %a[1] : vector<4x3xf32> into vector<2x4x3xf32>
  %c = vector.transpose %b, [0, 2, 1] : vector<2x4x3xf32> to vector<2x3x4xf32>
  %r = vector.extract %c[1, 2] : vector<4xf32> from vector<2x3x4xf32>
  return %r : vector<4xf32>
}

func.func @unknown_position(%v: vector<3x4x5xf32>, %i: index) -> f32 {
  %a = vector.transpose %v, [1, 0, 2] : vector<3x4x5xf32> to vector<4x3x5xf32>
  %r = vector.extract %a[%i, 1, 2] : f32 from vector<4x3x5xf32>
  return %r : f32
}

func.func @rows_put_together(%v: vector<2x4xi16>, %w: vector<3x2x2xi16>, %u: vector<1x2xi16>)
    -> (vector<4xi16>, vector<4xi16>, vector<2xi16>, vector<4xi16>) {
  %a0 = vector.extract %v[1, 0] : i16 from vector<2x4xi16>
  %a1 = vector.extract %v[1, 1] : i16 from vector<2x4xi16>
  %a2 = vector.extract %v[1, 2] : i16 from vector<2x4xi16>
  %a3 = vector.extract %v[1, 3] : i16 from vector<2x4xi16>
  %a = vector.from_elements %a0, %a1, %a2, %a3 : vector<4xi16>
  %b0 = vector.extract %w[2, 0, 0] : i16 from vector<3x2x2xi16>
  %b1 = vector.extract %w[2, 0, 1] : i16 from vector<3x2x2xi16>
  %b2 = vector.extract %w[2, 1, 0] : i16 from vector<3x2x2xi16>
  %b3 = vector.extract %w[2, 1, 1] : i16 from vector<3x2x2xi16>
  %b = vector.from_elements %b0, %b1, %b2, %b3 : vector<4xi16>
  %c0 = vector.extract %u[0, 0] : i16 from vector<1x2xi16>
  %c1 = vector.extract %u[0, 1] : i16 from vector<1x2xi16>
  %c = vector.from_elements %c0, %c1 : vector<2xi16>
  %across = vector.from_elements %a2, %a3, %b0, %b1 : vector<4xi16>
  return %a, %b, %c, %across : vector<4xi16>, vector<4xi16>, vector<2xi16>, vector<4xi16>
}

func.func @written_over(%v: vector<3xf32>, %w: vector<2x3xf32>, %x: f32, %y: f32, %i: index)
    -> (vector<3xf32>, vector<2x3xf32>) {
  %a = vector.insert %x, %v[%i] : f32 into vector<3xf32>
  %b = vector.insert %y, %a[%i] : f32 into vector<3xf32>
  %c = vector.insert %x, %w[%i, 2] : f32 into vector<2x3xf32>
  %d = vector.insert %y, %c[%i, 2] : f32 into vector<2x3xf32>
  return %b, %d : vector<3xf32>, vector<2x3xf32>
}

func.func @nowhere(%v: vector<3xf32>, %x: f32) -> (f32, vector<3xf32>, f32) {
  %none = arith.constant -1 : index
  %a = vector.extract %v[-1] : f32 from vector<3xf32>
  %b = vector.insert %x, %v[-1] : f32 into vector<3xf32>
  %c = vector.extract %v[%none] : f32 from vector<3xf32>
  return %a, %b, %c : f32, vector<3xf32>, f32
}

func.func @out_of_no_dimension(%z: vector<f32>) -> (f32, f32) {
  %a = vector.broadcast %z : vector<f32> to vector<2x3xf32>
  %r = vector.extract %a[1, 1] : f32 from vector<2x3xf32>
  %b = vector.broadcast %z : vector<f32> to vector<2xf32>
  %s = vector.extract %b[1] : f32 from vector<2xf32>
  return %r, %s : f32, f32
}

func.func @same_order(%v: vector<5x1x1x2xi8>, %w: vector<5x1x[1]xi8>) -> (vector<5x1x1x2xi8>, vector<5x[1]x1xi8>) {
  %a = vector.transpose %v, [0, 2, 1, 3] : vector<5x1x1x2xi8> to vector<5x1x1x2xi8>
  %b = vector.transpose %w, [0, 2, 1] : vector<5x1x[1]xi8> to vector<5x[1]x1xi8>
  return %a, %b : vector<5x1x1x2xi8>, vector<5x[1]x1xi8>
}

func.func @poison_moved() -> (vector<3x2xf32>, vector<4xf32>) {
  %p = ub.poison : vector<2x3xf32>
  %q = ub.poison : vector<4xf32>
  %a = vector.transpose %p, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  %b = vector.shuffle %q, %q [0, 5, 2, 7] : vector<4xf32>, vector<4xf32>
  return %a, %b : vector<3x2xf32>, vector<4xf32>
}

func.func @constants_and_poison() -> (vector<4xi32>, vector<2xi32>) {
  %k = arith.constant dense<[7, 8, 9]> : vector<3xi32>
  %p = ub.poison : vector<3xi32>
  %a = vector.shuffle %k, %p [2, -1, 4, 1] : vector<3xi32>, vector<3xi32>
  %b = vector.shuffle %p, %k [1, 5] : vector<3xi32>, vector<3xi32>
  return %a, %b : vector<4xi32>, vector<2xi32>
}

func.func @no_dimension(%z: vector<i32>, %y: vector<i32>) -> (vector<1xi32>, vector<1xi32>) {
  %a = vector.shuffle %z, %y [0] : vector<i32>, vector<i32>
  %b = vector.shuffle %z, %y [1] : vector<i32>, vector<i32>
  return %a, %b : vector<1xi32>, vector<1xi32>
}

func.func @repeated_bits() -> (vector<2xf32>, vector<1xi64>, vector<4xi8>) {
  %h = arith.constant dense<1.5> : vector<4xf16>
  %b = arith.constant dense<-86> : vector<8xi8>
  %n = arith.constant dense<5> : vector<8xi4>
  %x = vector.bitcast %h : vector<4xf16> to vector<2xf32>
  %y = vector.bitcast %b : vector<8xi8> to vector<1xi64>
  %z = vector.bitcast %n : vector<8xi4> to vector<4xi8>
  return %x, %y, %z : vector<2xf32>, vector<1xi64>, vector<4xi8>
}

func.func @masks(%n: index) -> (vector<[4]xi1>, vector<7xi1>, vector<2x[4]xi1>) {
  %none = arith.constant -3 : index
  %c1 = arith.constant 1 : index
  %a = vector.create_mask %none : vector<[4]xi1>
  %m = vector.create_mask %c1, %n, %n : vector<2x5x7xi1>
  %b = vector.extract %m[1, 3] : vector<7xi1> from vector<2x5x7xi1>
  %c = vector.create_mask %none, %n : vector<2x[4]xi1>
  return %a, %b, %c : vector<[4]xi1>, vector<7xi1>, vector<2x[4]xi1>
}
