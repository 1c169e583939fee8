// test: opt --affine-parallelize
// test: run-opt --entry=odd_beside_even --arg=random:1
// test: run-opt --entry=next_even --arg=random:1
// test: run-opt --entry=backwards --arg=random:1
// test: run-opt --entry=rows --arg=random:1

// Parallel: even elements are written, odd ones read.
func.func @odd_beside_even(%a: memref<32xf32>) {
  affine.for %i = 0 to 15 {
    %x = affine.load %a[2 * %i + 1] : memref<32xf32>
    affine.store %x, %a[2 * %i] : memref<32xf32>
  }
  return
}

// Sequential: an iteration reads what the next one writes.
func.func @next_even(%a: memref<32xf32>) {
  affine.for %i = 0 to 15 {
    %x = affine.load %a[2 * %i + 2] : memref<32xf32>
    affine.store %x, %a[2 * %i] : memref<32xf32>
  }
  return
}

// Parallel, then sequential: 9 - i and 10 - i are the same element in neighbouring iterations.
func.func @backwards(%a: memref<32xf32>) {
  affine.for %i = 0 to 10 {
    %x = affine.load %a[9 - %i] : memref<32xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %a[9 - %i] : memref<32xf32>
  }
  affine.for %i = 0 to 10 {
    %x = affine.load %a[10 - %i] : memref<32xf32>
    affine.store %x, %a[9 - %i] : memref<32xf32>
  }
  return
}

// The outer loop is parallel, as rows are apart; the inner one is not, as columns are not.
func.func @rows(%a: memref<8x32xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 1 to 32 {
      %x = affine.load %a[%i, %j - 1] : memref<8x32xf32>
      affine.store %x, %a[%i, %j] : memref<8x32xf32>
    }
  }
  return
}
