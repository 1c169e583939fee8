// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @broadcast(%f: f32, %v: vector<4xf32>, %u: vector<1x4xf32>, %s: vector<[4]xf32>, %p: vector<f32>, %x: index) {
  %0 = vector.broadcast %f : f32 to vector<4xf32>
  %1 = vector.broadcast %f {mark} : f32 to vector<f32>
  %2 = vector.broadcast %v : vector<4xf32> to vector<2x3x4xf32>
  %3 = vector.broadcast %u : vector<1x4xf32> to vector<5x4xf32>
  %4 = vector.broadcast %s : vector<[4]xf32> to vector<2x[4]xf32>
  %5 = vector.broadcast %p : vector<f32> to vector<3xf32>
  %6 = vector.broadcast %x : index to vector<[2]xindex>
  %7 = vector.broadcast %u : vector<1x4xf32> to vector<[4]x4xf32>
  return
}

// -----

func.func @bitcast(%v: vector<5x1x4x3xf32>, %s: vector<[4]xi64>, %p: vector<i32>, %x: vector<2xindex>) {
  %0 = vector.bitcast %v : vector<5x1x4x3xf32> to vector<5x1x4x6xf16>
  %1 = vector.bitcast %v : vector<5x1x4x3xf32> to vector<5x1x4x3xi32>
  %2 = vector.bitcast %s {mark} : vector<[4]xi64> to vector<[16]xi16>
  %3 = vector.bitcast %p : vector<i32> to vector<f32>
  %4 = vector.bitcast %x : vector<2xindex> to vector<2xi64>
  return
}

// -----

func.func @shape_cast(%v: vector<5x1x3x2xf32>, %s: vector<1x[4]xi8>, %p: vector<f32>) {
  %0 = vector.shape_cast %v : vector<5x1x3x2xf32> to vector<15x2xf32>
  %1 = vector.shape_cast %0 {mark} : vector<15x2xf32> to vector<30xf32>
  %2 = vector.shape_cast %s : vector<1x[4]xi8> to vector<[4]xi8>
  %3 = vector.shape_cast %p : vector<f32> to vector<1xf32>
  %4 = vector.shape_cast %3 : vector<1xf32> to vector<f32>
  return
}

// -----

func.func @transpose(%v: vector<4x[8]x16xf32>, %p: vector<f32>) {
  %0 = vector.transpose %v, [2, 0, 1] : vector<4x[8]x16xf32> to vector<16x4x[8]xf32>
  %1 = vector.transpose %p, [] {mark} : vector<f32> to vector<f32>
  return
}
