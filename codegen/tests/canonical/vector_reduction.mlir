// test: canonical
func.func @one_element(%v: vector<1xf32>, %a: f32, %w: vector<1xi32>, %b: i32) -> (f32, f32, i32, i32) {
  %0 = vector.reduction <add>, %v : vector<1xf32> into f32
  %1 = vector.reduction <mul>, %v, %a : vector<1xf32> into f32
  %2 = vector.reduction <maxsi>, %w, %b : vector<1xi32> into i32
  %3 = vector.reduction <xor>, %w : vector<1xi32> into i32
  return %0, %1, %2, %3 : f32, f32, i32, i32
}

func.func @no_or_unit_dimensions(%v: vector<2x3xf32>, %a: vector<2x3xf32>, %w: vector<4x1xf32>, %b: vector<4xf32>) -> (vector<2x3xf32>, vector<4xf32>) {
  %0 = vector.multi_reduction <add>, %v, %a [] : vector<2x3xf32> to vector<2x3xf32>
  %1 = vector.multi_reduction <mul>, %w, %b [1] : vector<4x1xf32> to vector<4xf32>
  return %0, %1 : vector<2x3xf32>, vector<4xf32>
}

func.func @rank_zero(%v: vector<f32>, %w: vector<1x1xf32>, %a: f32) -> (f32, f32) {
  %0 = vector.extract %v[] : f32 from vector<f32>
  %1 = vector.multi_reduction <add>, %w, %a [0, 1] : vector<1x1xf32> to f32
  return %0, %1 : f32, f32
}

func.func @masked(%v: vector<1xf32>, %k: vector<1xi1>, %a: f32) -> (f32, f32) {
  %0 = vector.mask %k { vector.reduction <add>, %v, %a : vector<1xf32> into f32 } : vector<1xi1> -> f32
  %t = vector.constant_mask [1] : vector<1xi1>
  %1 = vector.mask %t { vector.reduction <add>, %v, %a : vector<1xf32> into f32 } : vector<1xi1> -> f32
  return %0, %1 : f32, f32
}
