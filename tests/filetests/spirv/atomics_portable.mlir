// Atomic updates in the profile that naga reads, and in the languages it writes: unsigned extrema go
// through compare-exchange there, since naga tells signedness by the memory's type.
//
// test: spirv --portable
// test: shaders
func.func @updates(%x: memref<40xi32>, %counts: memref<8xi32>, %sums: memref<8xf32>, %most: memref<8xi32>) {
  %eight = arith.constant 8 : i32
  affine.parallel (%i) = (0) to (40) {
    %v = affine.load %x[%i] : memref<40xi32>
    %r = arith.remui %v, %eight : i32
    %b = arith.index_cast %r : i32 to index
    %f = arith.sitofp %v : i32 to f32
    %old = memref.atomic_rmw addi %v, %counts[%b] : (i32, memref<8xi32>) -> i32
    %before = memref.atomic_rmw addf %f, %sums[%b] : (f32, memref<8xf32>) -> f32
    %greatest = memref.atomic_rmw maxu %old, %most[%b] : (i32, memref<8xi32>) -> i32
  }
  return
}
