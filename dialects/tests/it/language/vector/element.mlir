// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @extract(%v: vector<4x8x16xf32>, %s: vector<4x[8]xi8>, %p: vector<f32>, %i: index) {
  %0 = vector.extract %v[3] : vector<8x16xf32> from vector<4x8x16xf32>
  %1 = vector.extract %v[3, 7, 15] {mark} : f32 from vector<4x8x16xf32>
  %2 = vector.extract %v[%i, 2, %i] : f32 from vector<4x8x16xf32>
  %3 = vector.extract %v[] : vector<4x8x16xf32> from vector<4x8x16xf32>
  %4 = vector.extract %p[] : f32 from vector<f32>
  %5 = vector.extract %s[%i] : vector<[8]xi8> from vector<4x[8]xi8>
  %6 = vector.extract %v[-1, 0] : vector<16xf32> from vector<4x8x16xf32>
  return
}

// -----

func.func @insert(%v: vector<4x8x16xf32>, %r: vector<8x16xf32>, %p: vector<f32>, %f: f32, %i: index, %s: vector<4x[8]xf32>, %t: vector<[8]xf32>) {
  %0 = vector.insert %r, %v[3] : vector<8x16xf32> into vector<4x8x16xf32>
  %1 = vector.insert %f, %0[3, 7, 15] {mark} : f32 into vector<4x8x16xf32>
  %2 = vector.insert %f, %1[%i, 7, %i] : f32 into vector<4x8x16xf32>
  %3 = vector.insert %2, %2 [] : vector<4x8x16xf32> into vector<4x8x16xf32>
  %4 = vector.insert %f, %p[] : f32 into vector<f32>
  %5 = vector.insert %t, %s[-1] : vector<[8]xf32> into vector<4x[8]xf32>
  return
}

// -----

func.func @elements(%f: f32, %x: index) -> f32 {
  %0 = vector.from_elements %f : vector<f32>
  %1 = vector.from_elements %f, %f, %f, %f, %f, %f : vector<2x3xf32>
  %2 = vector.from_elements %x {mark} : vector<1xindex>
  %3:6 = vector.to_elements %1 : vector<2x3xf32>
  %4 = vector.to_elements %0 {mark} : vector<f32>
  vector.to_elements %1 : vector<2x3xf32>
  return %3#5 : f32
}
