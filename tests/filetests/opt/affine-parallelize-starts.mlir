// Loops that start at the greatest of several numbers and count in steps: iterations are whole steps apart.
// test: opt --affine-parallelize
// test: run-opt --entry=quotients --arg=iota[12] --arg=zeros[4] --arg=1
// expect: arg 1 = [0, 2, 5, 8]
// test: run-opt --entry=close --arg=iota[12] --arg=1
// expect: arg 0 = [0, 1, 2, 2, 2, 5, 5, 5, 8, 8, 8, 11]

// One iteration for each quotient: 3, 6 and 9 floordiv 3.
func.func @quotients(%a: memref<12xf32>, %o: memref<4xf32>, %lo: index) {
  affine.for %i = max affine_map<(d0) -> (d0, 2)>(%lo) to 11 step 3 {
    %x = affine.load %a[%i] : memref<12xf32>
    affine.store %x, %o[(%i + 1) floordiv 3] : memref<4xf32>
  }
  return
}

// Parallel: what an iteration stores is one and two elements further, what the next reads three.
func.func @close(%a: memref<12xf32>, %lo: index) {
  affine.for %i = max affine_map<(d0) -> (d0, 2)>(%lo) to 9 step 3 {
    %x = affine.load %a[%i] : memref<12xf32>
    affine.store %x, %a[%i + 1] : memref<12xf32>
    affine.store %x, %a[%i + 2] : memref<12xf32>
  }
  return
}

// Sequential: 4 is a multiple of the step 2.
func.func @carried(%a: memref<12xf32>, %lo: index) {
  affine.for %i = max affine_map<(d0) -> (d0, 2)>(%lo) to 8 step 2 {
    %x = affine.load %a[%i] : memref<12xf32>
    affine.store %x, %a[%i + 4] : memref<12xf32>
  }
  return
}
