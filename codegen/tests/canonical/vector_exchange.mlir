// test: canonical
func.func @slice_of_what_is_filled(%v: vector<4x8xf32>, %s: tensor<4x8xf32>, %t: tensor<4x8xf32>, %n: index) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %w = vector.transfer_write %v, %s[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<4x8xf32>
  %r = tensor.extract_slice %w[0, 0][4, %n][1, 1] : tensor<4x8xf32> to tensor<4x?xf32>
  %q = tensor.insert_slice %r into %t[0, 0][4, %n][1, 1] : tensor<4x?xf32> into tensor<4x8xf32>
  return %q : tensor<4x8xf32>
}

func.func @turned(%v: vector<8x4xf32>, %s: tensor<4x8xf32>, %t: tensor<64x64xf32>, %i: index, %n: index) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : index
  %w = vector.transfer_write %v, %s[%c0, %c0] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<8x4xf32>, tensor<4x8xf32>
  %r = tensor.extract_slice %w[0, 0] [%n, 8] [1, 1] : tensor<4x8xf32> to tensor<?x8xf32>
  %q = tensor.insert_slice %r into %t[%i, 24] [%n, 8] [1, 1] : tensor<?x8xf32> into tensor<64x64xf32>
  return %q : tensor<64x64xf32>
}

func.func @smaller(%v: vector<4x4xf32>, %s: tensor<4x8xf32>, %t: tensor<4x8xf32>, %n: index) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %w = vector.transfer_write %v, %s[%c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, tensor<4x8xf32>
  %r = tensor.extract_slice %w[0, 0] [4, %n] [1, 1] : tensor<4x8xf32> to tensor<4x?xf32>
  %q = tensor.insert_slice %r into %t[0, 0] [4, %n] [1, 1] : tensor<4x?xf32> into tensor<4x8xf32>
  return %q : tensor<4x8xf32>
}

func.func @not_at_the_start(%v: vector<4x8xf32>, %s: tensor<4x8xf32>, %t: tensor<4x8xf32>, %n: index) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %w = vector.transfer_write %v, %s[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<4x8xf32>
  %r = tensor.extract_slice %w[0, 1] [4, %n] [1, 1] : tensor<4x8xf32> to tensor<4x?xf32>
  %q = tensor.insert_slice %r into %t[0, 0] [4, %n] [1, 1] : tensor<4x?xf32> into tensor<4x8xf32>
  return %q : tensor<4x8xf32>
}

func.func @used_elsewhere(%v: vector<4x8xf32>, %s: tensor<4x8xf32>, %t: tensor<4x8xf32>, %n: index) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %w = vector.transfer_write %v, %s[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<4x8xf32>
  %r = tensor.extract_slice %w[0, 0] [4, %n] [1, 1] : tensor<4x8xf32> to tensor<4x?xf32>
  %q = tensor.insert_slice %r into %t[0, 0] [4, %n] [1, 1] : tensor<4x?xf32> into tensor<4x8xf32>
  return %q, %w : tensor<4x8xf32>, tensor<4x8xf32>
}

func.func @masked(%v: vector<4x8xf32>, %k: vector<4x8xi1>, %s: tensor<4x8xf32>, %t: tensor<4x8xf32>, %n: index) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %w = vector.transfer_write %v, %s[%c0, %c0], %k {in_bounds = [true, true]} : vector<4x8xf32>, tensor<4x8xf32>
  %r = tensor.extract_slice %w[0, 0] [4, %n] [1, 1] : tensor<4x8xf32> to tensor<4x?xf32>
  %q = tensor.insert_slice %r into %t[0, 0] [4, %n] [1, 1] : tensor<4x?xf32> into tensor<4x8xf32>
  return %q : tensor<4x8xf32>
}

func.func @other_sizes(%v: vector<8xf32>, %s: tensor<8xf32>, %t: tensor<64xf32>, %i: index, %n: index) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %w = vector.transfer_write %v, %s[%c0] {in_bounds = [true]} : vector<8xf32>, tensor<8xf32>
  %r = tensor.extract_slice %w[0] [%i] [1] : tensor<8xf32> to tensor<?xf32>
  %q = tensor.insert_slice %r into %t[%i] [%n] [1] : tensor<?xf32> into tensor<64xf32>
  return %q : tensor<64xf32>
}

func.func @extent_of_what_is_written(%t: tensor<?xf32>, %i: index, %v: vector<4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %w = vector.transfer_write %v, %t[%i] : vector<4xf32>, tensor<?xf32>
  %d = tensor.dim %w, %c0 : tensor<?xf32>
  return %d : index
}

func.func @into_a_cast(%t: tensor<8xf32>, %i: index, %v: vector<4xf32>) -> tensor<?xf32> {
  %c = tensor.cast %t : tensor<8xf32> to tensor<?xf32>
  %w = vector.transfer_write %v, %c[%i] : vector<4xf32>, tensor<?xf32>
  return %w : tensor<?xf32>
}
