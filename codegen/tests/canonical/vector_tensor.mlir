// test: canonical
func.func @reads_what_a_cast_forgets(%t: tensor<4x6xf32>) -> vector<4x6xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %u = tensor.cast %t : tensor<4x6xf32> to tensor<?x6xf32>
  %v = vector.transfer_read %u[%c0, %c0], %z : tensor<?x6xf32>, vector<4x6xf32>
  return %v : vector<4x6xf32>
}

func.func @all_of_a_tensor(%t: tensor<3x4xf32>, %u: tensor<3x4xf32>, %w: tensor<4x4xf32>)
    -> (tensor<3x4xf32>, tensor<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %t[%c0, %c0], %z {in_bounds = [true, true]} : tensor<3x4xf32>, vector<3x4xf32>
  %a = vector.transfer_write %v, %u[%c0, %c0] {in_bounds = [true, true]} : vector<3x4xf32>, tensor<3x4xf32>
  %b = vector.transfer_write %v, %w[%c0, %c0] {in_bounds = [true, true]} : vector<3x4xf32>, tensor<4x4xf32>
  return %a, %b : tensor<3x4xf32>, tensor<4x4xf32>
}

func.func @written_elsewhere(%t: tensor<6x4xf32>, %v: vector<1x4xf32>, %w: vector<1x4xf32>, %i: index)
    -> (vector<1x4xf32>, vector<1x4xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %z = arith.constant 0.0 : f32
  %a = vector.transfer_write %v, %t[%c3, %c0] {in_bounds = [true, true]} : vector<1x4xf32>, tensor<6x4xf32>
  %b = vector.transfer_write %w, %a[%c5, %c0] {in_bounds = [true, true]} : vector<1x4xf32>, tensor<6x4xf32>
  %x = vector.transfer_read %b[%c3, %c0], %z {in_bounds = [true, true]} : tensor<6x4xf32>, vector<1x4xf32>
  %c = vector.transfer_write %w, %a[%i, %c0] {in_bounds = [true, true]} : vector<1x4xf32>, tensor<6x4xf32>
  %y = vector.transfer_read %c[%c3, %c0], %z {in_bounds = [true, true]} : tensor<6x4xf32>, vector<1x4xf32>
  return %x, %y : vector<1x4xf32>, vector<1x4xf32>
}

func.func @read_again_and_again(%t: tensor<5x4xf32>, %v: vector<5x4xf32>, %i: index)
    -> (vector<4x3x5xf32>, vector<2x5x4xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %a = vector.transfer_write %v, %t[%c0, %c0] {in_bounds = [true, true]} : vector<5x4xf32>, tensor<5x4xf32>
  %x = vector.transfer_read %a[%c0, %c0], %z {in_bounds = [true, true, true],
      permutation_map = affine_map<(d0, d1) -> (d1, 0, d0)>} : tensor<5x4xf32>, vector<4x3x5xf32>
  %y = vector.transfer_read %a[%c0, %c0], %z {in_bounds = [true, true, true],
      permutation_map = affine_map<(d0, d1) -> (0, d0, d1)>} : tensor<5x4xf32>, vector<2x5x4xf32>
  return %x, %y : vector<4x3x5xf32>, vector<2x5x4xf32>
}
