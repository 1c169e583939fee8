// test: opt --affine-permute-updates=fp=relaxed
// test: run-opt --entry=scattered --arg=random:1 --arg=random:2 --arg=random:3
// test: run-opt --entry=two_dimensions --arg=random:1 --arg=random:2 --arg=zeros
// test: run-opt --entry=stays_read --arg=random:1 --arg=random:2
// test: run-opt --entry=stays_tied --arg=random:1 --arg=random:2
// test: run-opt --entry=stays_free --arg=random:1 --arg=random:2
// test: stages --offload

// For one %p, elements of different %i are apart: %p outermost, each of its iterations a launch, and the
// sum over %b innermost.
func.func @scattered(%x: memref<40x300xi32>, %k: memref<40x3xi32>, %y: memref<601xi32>) {
  affine.for %b = 0 to 40 {
    affine.for %i = 0 to 300 {
      affine.for %p = 0 to 3 {
        %u = affine.load %x[%b, %i] : memref<40x300xi32>
        %v = affine.load %k[%b, %p] : memref<40x3xi32>
        %w = arith.muli %u, %v : i32
        %s = affine.load %y[%i * 2 + %p] : memref<601xi32>
        %t = arith.addi %s, %w : i32
        affine.store %t, %y[%i * 2 + %p] : memref<601xi32>
      }
    }
  }
  return
}

// A transposed convolution: channels of the output, then rows and columns, are parallel.
func.func @two_dimensions(%x: memref<3x20x16xi32>, %k: memref<3x9x3x3xi32>, %y: memref<9x41x33xi32>) {
  affine.for %a = 0 to 9 {
    affine.for %b = 0 to 3 {
      affine.for %i = 0 to 20 {
        affine.for %j = 0 to 16 {
          affine.for %p = 0 to 3 {
            affine.for %q = 0 to 3 {
              %u = affine.load %x[%b, %i, %j] : memref<3x20x16xi32>
              %v = affine.load %k[%b, %a, %p, %q] : memref<3x9x3x3xi32>
              %w = arith.muli %u, %v : i32
              %s = affine.load %y[%a, %i * 2 + %p, %j * 2 + %q] : memref<9x41x33xi32>
              %t = arith.addi %s, %w : i32
              affine.store %t, %y[%a, %i * 2 + %p, %j * 2 + %q] : memref<9x41x33xi32>
            }
          }
        }
      }
    }
  }
  return
}

// What is added comes of what the nest stores: the order counts.
func.func @stays_read(%x: memref<400xi32>, %y: memref<8400xi32>) {
  affine.for %b = 0 to 40 {
    affine.for %i = 0 to 4000 {
      affine.for %p = 0 to 3 {
        %u = affine.load %y[%i] : memref<8400xi32>
        %s = affine.load %y[%i * 2 + %p] : memref<8400xi32>
        %t = arith.addi %s, %u : i32
        affine.store %t, %y[%i * 2 + %p] : memref<8400xi32>
      }
    }
  }
  return
}

// A loop that moves along both dimensions: nothing is known.
func.func @stays_tied(%x: memref<40x300xi32>, %y: memref<303x303xi32>) {
  affine.for %b = 0 to 40 {
    affine.for %i = 0 to 300 {
      affine.for %p = 0 to 3 {
        %u = affine.load %x[%b, %i] : memref<40x300xi32>
        %s = affine.load %y[%i + %p, %i] : memref<303x303xi32>
        %t = arith.addi %s, %u : i32
        affine.store %t, %y[%i + %p, %i] : memref<303x303xi32>
      }
    }
  }
  return
}

// Rows of three elements that do not meet: parallel as they are.
func.func @stays_free(%x: memref<40x300xi32>, %y: memref<900xi32>) {
  affine.for %b = 0 to 40 {
    affine.for %i = 0 to 300 {
      affine.for %p = 0 to 3 {
        %u = affine.load %x[%b, %i] : memref<40x300xi32>
        %s = affine.load %y[%i * 3 + %p] : memref<900xi32>
        %t = arith.addi %s, %u : i32
        affine.store %t, %y[%i * 3 + %p] : memref<900xi32>
      }
    }
  }
  return
}

