// test: opt --affine-loop-unimodular=matrix=1,1;1,0
// test: run-opt --entry=skewed --arg=random:1
// test: run-opt --entry=triangle --arg=random:1[9x9] --arg=6
// test: run-opt --entry=steps --arg=random:1
// test: run-opt --entry=shallow --arg=random:1 --arg=3

// Wavefronts: the new outer loop counts diagonals, both old counters follow from it.
func.func @skewed(%a: memref<8x16xi32>) {
  affine.for %i = 1 to 8 {
    affine.for %j = 1 to 16 {
      %n = affine.load %a[%i - 1, %j] : memref<8x16xi32>
      %w = affine.load %a[%i, %j - 1] : memref<8x16xi32>
      %s = arith.addi %n, %w : i32
      affine.store %s, %a[%i, %j] : memref<8x16xi32>
    }
  }
  return
}

// A bound that depends on the outer counter, and a symbolic one: the nest runs under a
// test that the sum of counters fits, or as it was.
func.func @triangle(%a: memref<?x?xi32>, %n: index) {
  affine.for %i = 1 to %n {
    affine.for %j = 1 to affine_map<(d0) -> (d0)>(%i) {
      %x = affine.load %a[%i - 1, %j] : memref<?x?xi32>
      affine.store %x, %a[%i, %j] : memref<?x?xi32>
    }
  }
  return
}

// Steps: the new loops count steps.
func.func @steps(%a: memref<40x40xi32>) {
  affine.for %i = 2 to 40 step 3 {
    affine.for %j = 1 to 40 step 2 {
      %x = affine.load %a[%i - 2, %j - 1] : memref<40x40xi32>
      affine.store %x, %a[%i, %j] : memref<40x40xi32>
    }
  }
  return
}

// A single loop is no nest of two.
func.func @shallow(%a: memref<8xi32>, %x: i32) {
  affine.for %i = 0 to 8 {
    affine.store %x, %a[%i] : memref<8xi32>
  }
  return
}
