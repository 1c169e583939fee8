// Counts and a scatter through positions read from memory: two iterations may
// write the same element, so neither loop is parallel without atomics.
//     counts[values[i] mod 16] += 1;     last[values[i] mod 16] = i     for i = 0, 1, ..., 199, in that order

func.func @histogram(%values: memref<200xi32>, %counts: memref<16xi32>, %last: memref<16xi32>) {
  %one = arith.constant 1 : i32
  %bins = arith.constant 16 : i32
  affine.for %i = 0 to 200 {
    %v = affine.load %values[%i] : memref<200xi32>
    %bin = arith.remui %v, %bins : i32
    %b = arith.index_cast %bin : i32 to index
    %n = memref.load %counts[%b] : memref<16xi32>
    %n1 = arith.addi %n, %one : i32
    memref.store %n1, %counts[%b] : memref<16xi32>
  }
  affine.for %i = 0 to 200 {
    %v = affine.load %values[%i] : memref<200xi32>
    %bin = arith.remui %v, %bins : i32
    %b = arith.index_cast %bin : i32 to index
    %i_i32 = arith.index_cast %i : index to i32
    memref.store %i_i32, %last[%b] : memref<16xi32>
  }
  return
}
