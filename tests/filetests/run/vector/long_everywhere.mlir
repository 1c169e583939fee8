// Vectors longer than a register that loops carry; cut, joined, shuffled, and taken apart at places
// that are computed.
//
// A row sums the rows up to it of the 3x6 matrix from 0: row r is 6 r (r + 1) / 2 + (r + 1) l. Its
// halves are swapped; its element (5 r) mod 6, for r = 0, 1, 2 number 0, 5 and 4, is 0, 6 + 2 · 5 and
// 18 + 3 · 4.
//
// test: run --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [3, 4, 5, 0, 1, 2, 12, 14, 16, 6, 8, 10, 27, 30, 33, 18, 21, 24]
// expect: arg 2 = [0, 16, 30]
func.func @sums(%a: memref<3x6xf32>, %swapped: memref<3x6xf32>,
                %chosen: memref<3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant dense<0.0> : vector<6xf32>
  affine.for %r = 0 to 3 {
    %n = affine.apply affine_map<(d0) -> (d0 + 1)>(%r)
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%so_far = %zero) -> (vector<6xf32>) {
      %row = vector.load %a[%i, %c0] : memref<3x6xf32>, vector<6xf32>
      %next = arith.addf %so_far, %row : vector<6xf32>
      scf.yield %next : vector<6xf32>
    }
    %low = vector.extract_strided_slice %sum {offsets = [0], sizes = [3], strides = [1]}
      : vector<6xf32> to vector<3xf32>
    %high = vector.extract_strided_slice %sum {offsets = [3], sizes = [3], strides = [1]}
      : vector<6xf32> to vector<3xf32>
    %both = vector.shuffle %high, %low [0, 1, 2, 3, 4, 5] : vector<3xf32>, vector<3xf32>
    vector.store %both, %swapped[%r, %c0] : memref<3x6xf32>, vector<6xf32>
    %at = affine.apply affine_map<(d0) -> ((5 * d0) mod 6)>(%r)
    %one = vector.extract %sum[%at] : f32 from vector<6xf32>
    affine.store %one, %chosen[%r] : memref<3xf32>
  }
  return
}
