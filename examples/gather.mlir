// gather: elements of a table, picked by an array of positions.
//
//     out[i] = table[positions[i] mod 1000]          for 0 <= i < 5000
//
// Arguments: table (1000 × f32, read), positions (5000 × i32, read as unsigned
// numbers), out (5000 × f32, written).
// The load from the table is not affine: where it goes is known only when the
// position has been read. The loop is parallel all the same, since nothing
// writes to the table.
//
// Run:  gridloom run examples/gather.mlir --arg random:1 --arg random:2 --arg zeros

func.func @gather(%table: memref<1000xf32>, %positions: memref<5000xi32>, %out: memref<5000xf32>) {
  %length = arith.constant 1000 : i32
  affine.for %i = 0 to 5000 {
    %position = affine.load %positions[%i] : memref<5000xi32>
    %wrapped = arith.remui %position, %length : i32
    %p = arith.index_cast %wrapped : i32 to index
    %value = memref.load %table[%p] : memref<1000xf32>
    affine.store %value, %out[%i] : memref<5000xf32>
  }
  return
}
