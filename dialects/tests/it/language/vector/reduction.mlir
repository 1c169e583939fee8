// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @floats(%v: vector<16xf32>, %s: f32) {
  %0 = vector.reduction <add>, %v : vector<16xf32> into f32
  %1 = vector.reduction <add>, %v, %s : vector<16xf32> into f32
  %2 = vector.reduction <mul>, %v, %s fastmath<reassoc> : vector<16xf32> into f32
  %3 = vector.reduction <mul>, %v fastmath<reassoc,nnan> {mark} : vector<16xf32> into f32
  %4 = vector.reduction <minnumf>, %v fastmath<none> : vector<16xf32> into f32
  %5 = vector.reduction <maxnumf>, %v : vector<16xf32> into f32
  %6 = vector.reduction <minimumf>, %v : vector<16xf32> into f32
  %7 = vector.reduction <maximumf>, %v, %s : vector<16xf32> into f32
  return
}

// -----

func.func @integers(%v: vector<[4]xi32>, %s: i32, %x: vector<4xindex>) {
  %0 = vector.reduction <add>, %v : vector<[4]xi32> into i32
  %1 = vector.reduction <minui>, %v, %s : vector<[4]xi32> into i32
  %2 = vector.reduction <minsi>, %v : vector<[4]xi32> into i32
  %3 = vector.reduction <maxui>, %v : vector<[4]xi32> into i32
  %4 = vector.reduction <maxsi>, %v : vector<[4]xi32> into i32
  %5 = vector.reduction <and>, %v : vector<[4]xi32> into i32
  %6 = vector.reduction <or>, %v : vector<[4]xi32> into i32
  %7 = vector.reduction <xor>, %v : vector<[4]xi32> into i32
  %8 = vector.reduction <add>, %x : vector<4xindex> into index
  // The kind may be written in full.
  %9 = vector.reduction #vector.kind<add>, %x : vector<4xindex> into index
  return
}

// -----

// No dimension at all.
func.func @point(%v: vector<f32>) -> f32 {
  %0 = vector.reduction <add>, %v : vector<f32> into f32
  return %0 : f32
}

// -----

func.func @several(%v: vector<4x8x[16]xf32>, %a: vector<4x[16]xf32>, %s: f32, %w: vector<4x8x[16]xf32>) {
  %0 = vector.multi_reduction <mul>, %v, %a [1] : vector<4x8x[16]xf32> to vector<4x[16]xf32>
  %1 = vector.multi_reduction <add>, %v, %s {mark} [0, 1, 2] : vector<4x8x[16]xf32> to f32
  %2 = vector.multi_reduction <add>, %v, %w [] : vector<4x8x[16]xf32> to vector<4x8x[16]xf32>
  return
}

// -----

func.func @scan(%v: vector<4x8xi32>, %a: vector<8xi32>, %u: vector<3xi64>, %p: vector<i64>) {
  %0:2 = vector.scan <add>, %v, %a {inclusive = false, reduction_dim = 0 : i64} : vector<4x8xi32>, vector<8xi32>
  %1, %2 = vector.scan <minsi>, %u, %p {inclusive = true, reduction_dim = 0 : i64, mark} : vector<3xi64>, vector<i64>
  return
}
