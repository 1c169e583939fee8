// test: opt --affine-index-set-splitting
// test: run-opt --entry=shortest_paths --arg=random:1
// test: run-opt --entry=counter_out_of_range --arg=random:1
// test: run-opt --entry=tied_elsewhere --arg=random:1

// Row and column %k alone tie the loops: both are split there.
func.func @shortest_paths(%d: memref<8x8xi32>) {
  affine.for %k = 0 to 8 {
    affine.for %i = 0 to 8 {
      affine.for %j = 0 to 8 {
        %old = affine.load %d[%i, %j] : memref<8x8xi32>
        %to = affine.load %d[%i, %k] : memref<8x8xi32>
        %from = affine.load %d[%k, %j] : memref<8x8xi32>
        %by = arith.addi %to, %from : i32
        %least = arith.minsi %old, %by : i32
        affine.store %least, %d[%i, %j] : memref<8x8xi32>
      }
    }
  }
  return
}

// %k leaves the range of the inner loop: it stays.
func.func @counter_out_of_range(%x: memref<16xi32>) {
  affine.for %k = 0 to 16 {
    affine.for %i = 0 to 8 {
      %v = affine.load %x[%k] : memref<16xi32>
      affine.store %v, %x[%i] : memref<16xi32>
    }
  }
  return
}

// Neighbours are tied on both sides of %k: it stays.
func.func @tied_elsewhere(%x: memref<9xi32>) {
  affine.for %k = 0 to 8 {
    affine.for %i = 0 to 8 {
      %v = affine.load %x[%k] : memref<9xi32>
      %w = affine.load %x[%i + 1] : memref<9xi32>
      %s = arith.addi %v, %w : i32
      affine.store %s, %x[%i] : memref<9xi32>
    }
  }
  return
}
