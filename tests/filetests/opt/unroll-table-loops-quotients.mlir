// Directions computed from the counter: (k mod 3 - 1, k floordiv 3 - 1) are those of a square and its middle.
// test: opt --unroll-table-loops --canonicalize
// test: run-opt --entry=moments --arg=iota
// expect: result 0 = 6
// expect: result 1 = 18
// test: run-opt --entry=left_as_it_divides_no_number --arg=iota --arg=zeros
// expect: arg 1 = [0, 0, 2, 2, 4, 4]

/// Sums of k * (k mod 3 - 1) and k * (k floordiv 3 - 1) over 0 to 8: 6 = (2 - 0) + (5 - 3) + (8 - 6), and 18 = (6 + 7 + 8) - (0 + 1 + 2).
func.func @moments(%f: memref<9xf32>) -> (f32, f32) {
  %zero = arith.constant 0.0 : f32
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %sums:2 = affine.for %k = 0 to 9 iter_args(%x = %zero, %y = %zero) -> (f32, f32) {
    %v = affine.load %f[%k] : memref<9xf32>
    %i = affine.apply affine_map<(k) -> (k mod 3 - 1)>(%k)
    %q = arith.divui %k, %c3 : index
    %j = arith.subi %q, %c1 : index
    %i32 = arith.index_cast %i : index to i32
    %j32 = arith.index_cast %j : index to i32
    %u = arith.sitofp %i32 : i32 to f32
    %w = arith.sitofp %j32 : i32 to f32
    %p = arith.mulf %v, %u : f32
    %r = arith.mulf %v, %w : f32
    %next_x = arith.addf %x, %p : f32
    %next_y = arith.addf %y, %r : f32
    affine.yield %next_x, %next_y : f32, f32
  }
  return %sums#0, %sums#1 : f32, f32
}

func.func @left_as_it_divides_no_number(%f: memref<6xf32>, %out: memref<6xf32>) {
  affine.for %k = 0 to 6 {
    %v = affine.load %f[(%k floordiv 2) * 2] : memref<6xf32>
    affine.store %v, %out[%k] : memref<6xf32>
  }
  return
}
