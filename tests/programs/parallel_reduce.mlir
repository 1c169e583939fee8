// An `affine.parallel` with two reductions, inside a parallel loop over rows.
//     sums[i] = sum over j of a[i, j];   peaks[i] = max over j of a[i, j]
//     for 0 <= i < 12, 0 <= j < 50
// The identity of the maximum is part of the result: all peaks lie above -1e30.

func.func @parallel_reduce(%a: memref<12x50xf32>, %sums: memref<12xf32>, %peaks: memref<12xf32>) {
  affine.for %i = 0 to 12 {
    %sum, %peak = affine.parallel (%j) = (0) to (50) reduce ("addf", "maximumf") -> (f32, f32) {
      %x = affine.load %a[%i, %j] : memref<12x50xf32>
      affine.yield %x, %x : f32, f32
    }
    affine.store %sum, %sums[%i] : memref<12xf32>
    affine.store %peak, %peaks[%i] : memref<12xf32>
  }
  return
}
