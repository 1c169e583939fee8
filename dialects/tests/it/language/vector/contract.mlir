// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
// A product of matrices, with the maps and iterators behind an alias, as front
// ends write them.
#product = {
  indexing_maps = [
    affine_map<(i, j, k) -> (i, k)>,
    affine_map<(i, j, k) -> (k, j)>,
    affine_map<(i, j, k) -> (i, j)>
  ],
  iterator_types = ["parallel", "parallel", "reduction"]
}
func.func @product(%a: vector<4x8xf32>, %b: vector<8x2xf32>, %c: vector<4x2xf32>) -> vector<4x2xf32> {
  %0 = vector.contract #product %a, %b, %c : vector<4x8xf32>, vector<8x2xf32> into vector<4x2xf32>
  %1 = vector.contract #product %a, %b, %0 {note = "discardable"} : vector<4x8xf32>, vector<8x2xf32> into vector<4x2xf32>
  return %1 : vector<4x2xf32>
}

// -----

// A dot product and its largest term; integers.
func.func @dot(%a: vector<8xf32>, %b: vector<8xf32>, %c: f32, %i: vector<8xi32>, %n: i32) -> (f32, f32, i32) {
  %0 = vector.contract {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>],
    iterator_types = ["reduction"]
  } %a, %b, %c : vector<8xf32>, vector<8xf32> into f32
  %1 = vector.contract {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>],
    iterator_types = ["reduction"],
    kind = #vector.kind<maximumf>
  } %a, %b, %0 : vector<8xf32>, vector<8xf32> into f32
  %2 = vector.contract {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>],
    iterator_types = ["reduction"],
    kind = #vector.kind<xor>
  } %i, %i, %n : vector<8xi32>, vector<8xi32> into i32
  return %0, %1, %2 : f32, f32, i32
}

// -----

// A batch dimension, two contracting ones, a transposed result.
func.func @batch(%a: vector<3x4x5x6xf16>, %b: vector<6x3x5x7xf16>, %c: vector<7x3x4xf16>) -> vector<7x3x4xf16> {
  %0 = vector.contract {
    indexing_maps = [
      affine_map<(b, i, j, k, l) -> (b, i, k, l)>,
      affine_map<(b, i, j, k, l) -> (l, b, k, j)>,
      affine_map<(b, i, j, k, l) -> (j, b, i)>
    ],
    iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"],
    kind = #vector.kind<add>
  } %a, %b, %c : vector<3x4x5x6xf16>, vector<6x3x5x7xf16> into vector<7x3x4xf16>
  return %0 : vector<7x3x4xf16>
}

// -----

// Scalable dimensions, and the accumulator of another width; generic form.
func.func @scalable(%a: vector<1x4xi8>, %b: vector<4x[8]xi8>, %c: vector<1x[8]xi8>) -> vector<1x[8]xi8> {
  %0 = "vector.contract"(%a, %b, %c) <{
    indexing_maps = [
      affine_map<(i, j, k) -> (i, k)>,
      affine_map<(i, j, k) -> (k, j)>,
      affine_map<(i, j, k) -> (i, j)>
    ],
    iterator_types = [
      #vector.iterator_type<parallel>,
      #vector.iterator_type<parallel>,
      #vector.iterator_type<reduction>
    ],
    kind = #vector.kind<mul>
  }> : (vector<1x4xi8>, vector<4x[8]xi8>, vector<1x[8]xi8>) -> vector<1x[8]xi8>
  return %0 : vector<1x[8]xi8>
}
