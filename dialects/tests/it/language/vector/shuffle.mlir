// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @shuffle(%v: vector<2xf32>, %w: vector<4xf32>, %m: vector<1x4xf32>, %n: vector<2x4xf32>, %p: vector<f32>) {
  %0 = vector.shuffle %v, %w [0, 1, 2, -1, 5] : vector<2xf32>, vector<4xf32>
  %1 = vector.shuffle %m, %n [0, 1, 2] {mark} : vector<1x4xf32>, vector<2x4xf32>
  %2 = vector.shuffle %p, %p [0, 1] : vector<f32>, vector<f32>
  return
}

// -----

func.func @interleave(%v: vector<4x[2]xi8>, %p: vector<f64>) {
  %0 = vector.interleave %v, %v : vector<4x[2]xi8> -> vector<4x[4]xi8>
  %1 = vector.interleave %p, %p {mark} : vector<f64> -> vector<2xf64>
  %2, %3 = vector.deinterleave %0 : vector<4x[4]xi8> -> vector<4x[2]xi8>
  %4:2 = vector.deinterleave %1 {mark} : vector<2xf64> -> vector<1xf64>
  return
}
