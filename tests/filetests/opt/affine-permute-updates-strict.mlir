// test: opt --affine-permute-updates=fp=strict
// test: run-opt --entry=floats --arg=random:1 --arg=random:2 --arg=random:3
// test: run-opt --entry=permitted --arg=ones --arg=ones --arg=zeros
// test: run-opt --entry=left_in_order --arg=random:1 --arg=random:2 --arg=random:3
// test: run-opt --entry=permitted_order --arg=ones --arg=ones --arg=zeros
// test: run --arg=random:1 --arg=random:2 --arg=random:3 --entry=floats

// Floats keep the order of their sums, and so does a loop over the elements.
func.func @floats(%x: memref<40x300xf32>, %k: memref<40x3xf32>, %y: memref<601xf32>) {
  affine.for %b = 0 to 40 {
    affine.for %i = 0 to 300 {
      affine.for %p = 0 to 3 {
        %u = affine.load %x[%b, %i] : memref<40x300xf32>
        %v = affine.load %k[%b, %p] : memref<40x3xf32>
        %w = arith.mulf %u, %v : f32
        %s = affine.load %y[%i * 2 + %p] : memref<601xf32>
        %t = arith.addf %s, %w : f32
        affine.store %t, %y[%i * 2 + %p] : memref<601xf32>
      }
    }
  }
  return
}

// With permission to reassociate as without.
func.func @permitted(%x: memref<40x300xf32>, %k: memref<40x3xf32>, %y: memref<601xf32>) {
  affine.for %b = 0 to 40 {
    affine.for %i = 0 to 300 {
      affine.for %p = 0 to 3 {
        %u = affine.load %x[%b, %i] : memref<40x300xf32>
        %v = affine.load %k[%b, %p] : memref<40x3xf32>
        %w = arith.mulf %u, %v : f32
        %s = affine.load %y[%i * 2 + %p] : memref<601xf32>
        %t = arith.addf %s, %w fastmath<reassoc> : f32
        affine.store %t, %y[%i * 2 + %p] : memref<601xf32>
      }
    }
  }
  return
}

// A permutation would change the order.
func.func @left_in_order(%x: memref<40x300xf32>, %k: memref<40x3xf32>, %y: memref<1203xf32>) {
  affine.for %b = 0 to 40 {
    affine.for %i = 0 to 300 {
      affine.for %p = 0 to 3 {
        %u = affine.load %x[%b, %i] : memref<40x300xf32>
        %v = affine.load %k[%b, %p] : memref<40x3xf32>
        %w = arith.mulf %u, %v : f32
        %s = affine.load %y[%i * 4 + %p * 2] : memref<1203xf32>
        %t = arith.addf %s, %w : f32
        affine.store %t, %y[%i * 4 + %p * 2] : memref<1203xf32>
      }
    }
  }
  return
}

// Their operation permits it.
func.func @permitted_order(%x: memref<40x300xf32>, %k: memref<40x3xf32>, %y: memref<1203xf32>) {
  affine.for %b = 0 to 40 {
    affine.for %i = 0 to 300 {
      affine.for %p = 0 to 3 {
        %u = affine.load %x[%b, %i] : memref<40x300xf32>
        %v = affine.load %k[%b, %p] : memref<40x3xf32>
        %w = arith.mulf %u, %v : f32
        %s = affine.load %y[%i * 4 + %p * 2] : memref<1203xf32>
        %t = arith.addf %s, %w fastmath<reassoc> : f32
        affine.store %t, %y[%i * 4 + %p * 2] : memref<1203xf32>
      }
    }
  }
  return
}
