// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @outerproduct(%a: vector<4xf32>, %b: vector<8xf32>, %c: vector<4x8xf32>, %s: f32, %v: vector<4xf32>) {
  %0 = vector.outerproduct %a, %b : vector<4xf32>, vector<8xf32>
  %1 = vector.outerproduct %a, %b, %c : vector<4xf32>, vector<8xf32>
  %2 = vector.outerproduct %a, %b, %c {kind = #vector.kind<maxnumf>, mark} : vector<4xf32>, vector<8xf32>
  %3 = vector.outerproduct %a, %s : vector<4xf32>, f32
  %4 = vector.outerproduct %a, %s, %v {kind = #vector.kind<mul>} : vector<4xf32>, f32
  return
}

// -----

func.func @scalable(%a: vector<[4]xi32>, %b: vector<[8]xi32>, %f: vector<2xi32>, %c: vector<2x[8]xi32>) {
  %0 = vector.outerproduct %a, %b : vector<[4]xi32>, vector<[8]xi32>
  %1 = vector.outerproduct %f, %b, %c {kind = #vector.kind<minsi>} : vector<2xi32>, vector<[8]xi32>
  return
}

// -----

func.func @fma(%a: vector<4xf32>, %b: vector<2x[4]xf64>, %c: vector<bf16>) {
  %0 = vector.fma %a, %a, %a : vector<4xf32>
  %1 = vector.fma %b, %b, %b {mark} : vector<2x[4]xf64>
  %2 = vector.fma %c, %c, %c : vector<bf16>
  return
}
// -----
func.func @more_than_three(%a: vector<4xf32>, %b: vector<8xf32>, %c: vector<4x8xf32>) {
  %0 = vector.outerproduct %a, %b, %c, %c : vector<4xf32>, vector<8xf32>
  return
}
