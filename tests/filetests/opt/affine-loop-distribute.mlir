// test: opt --affine-loop-distribute
// test: run-opt --entry=initialise_and_sum --arg=random:1
// test: run-opt --entry=value_of_both --arg=random:1
// test: run-opt --entry=carried --arg=random:1 --arg=random:1
// test: run-opt --entry=nothing_inside --arg=random:1 --arg=random:1 --arg=random:1

// Independent iterations: a loop around each piece, in the order of the pieces.
func.func @initialise_and_sum(%a: memref<8x16x4xf32>) -> memref<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %first = memref.alloc() : memref<8xf32>
  %sums = memref.alloc() : memref<8x16xf32>
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i, 0, 0] : memref<8x16x4xf32>
    affine.store %x, %first[%i] : memref<8xf32>
    affine.for %j = 0 to 16 {
      affine.store %zero, %sums[%i, %j] : memref<8x16xf32>
      affine.for %k = 0 to 4 {
        %y = affine.load %a[%i, %j, %k] : memref<8x16x4xf32>
        %z = affine.load %sums[%i, %j] : memref<8x16xf32>
        %s = arith.addf %y, %z : f32
        affine.store %s, %sums[%i, %j] : memref<8x16xf32>
      }
    }
  }
  return %sums : memref<8x16xf32>
}

// What a later piece uses is computed again there, since it comes from memory that the loop does not write.
func.func @value_of_both(%a: memref<8xf32>) -> (memref<8xf32>, memref<8x16xf32>) {
  %s = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8x16xf32>
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xf32>
    %d = arith.addf %x, %x : f32
    affine.store %d, %s[%i] : memref<8xf32>
    affine.for %j = 0 to 16 {
      affine.store %d, %t[%i, %j] : memref<8x16xf32>
    }
  }
  return %s, %t : memref<8xf32>, memref<8x16xf32>
}

// Iterations depend on each other, through %s: left alone.
func.func @carried(%s: memref<9xf32>, %t: memref<8x16xf32>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %s[%i] : memref<9xf32>
    affine.store %x, %s[%i + 1] : memref<9xf32>
    affine.for %j = 0 to 16 {
      affine.store %x, %t[%i, %j] : memref<8x16xf32>
    }
  }
  return
}

// No piece has a parallel loop of its own: nothing would be won.
func.func @nothing_inside(%a: memref<8xf32>, %b: memref<8xf32>, %c: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xf32>
    affine.store %x, %b[%i] : memref<8xf32>
    affine.store %x, %c[%i] : memref<8xf32>
  }
  return
}
