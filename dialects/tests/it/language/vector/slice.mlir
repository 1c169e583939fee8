// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @strided(%v: vector<4x8x16xf32>, %s: vector<2x4xf32>, %t: vector<8x[4]xi8>, %u: vector<1x[4]xi8>) {
  %0 = vector.extract_strided_slice %v {offsets = [2], sizes = [2], strides = [1]} : vector<4x8x16xf32> to vector<2x8x16xf32>
  %1 = vector.extract_strided_slice %v {offsets = [0, 4, 8], sizes = [4, 4, 8], strides = [1, 1, 1], mark} : vector<4x8x16xf32> to vector<4x4x8xf32>
  %2 = vector.extract_strided_slice %t {offsets = [2], sizes = [1], strides = [1]} : vector<8x[4]xi8> to vector<1x[4]xi8>
  %3 = vector.insert_strided_slice %s, %v {offsets = [2, 2, 2], strides = [1, 1]} : vector<2x4xf32> into vector<4x8x16xf32>
  %4 = vector.insert_strided_slice %u, %t {mark, offsets = [3, 0], strides = [1, 1]} : vector<1x[4]xi8> into vector<8x[4]xi8>
  return
}

// -----

func.func @scalable(%v: vector<[16]xf32>, %f: vector<4xf32>, %s: vector<[8]xf32>) {
  %0 = vector.scalable.insert %f, %v[4] : vector<4xf32> into vector<[16]xf32>
  %1 = vector.scalable.insert %s, %v[8] {mark} : vector<[8]xf32> into vector<[16]xf32>
  %2 = vector.scalable.extract %v[12] : vector<4xf32> from vector<[16]xf32>
  %3 = vector.scalable.extract %v[0] {mark} : vector<[8]xf32> from vector<[16]xf32>
  return
}
