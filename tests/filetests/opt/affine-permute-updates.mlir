// test: opt --affine-permute-updates=fp=relaxed
// test: run-opt --entry=scattered --arg=random:1 --arg=random:2 --arg=random:3
// test: run-opt --entry=two_dimensions --arg=random:1 --arg=random:2 --arg=zeros
// test: run-opt --entry=two_loops --arg=iota --arg=iota --arg=zeros
// test: run-opt --entry=taps_outside --arg=random:3[3000] --arg=random:4[5] --arg=random:5[6003]
// test: run-opt --entry=backwards --arg=random:3 --arg=random:4 --arg=random:5
// test: run-opt --entry=of_every_other --arg=random:3 --arg=random:4 --arg=random:5
// test: run-opt --entry=permuted --arg=random:1 --arg=random:2 --arg=random:3
// test: run-opt --entry=stays_short --arg=random:1 --arg=random:2 --arg=zeros
// test: run-opt --entry=stays_read --arg=random:1 --arg=random:2
// test: run-opt --entry=stays_tied --arg=random:1 --arg=random:2
// test: run-opt --entry=stays_free --arg=random:1 --arg=random:2
// test: stages --offload

// A loop over the elements takes the place of %p: the sum over %b and %i is innermost.
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

// A transposed convolution: channels, rows and columns of the output are parallel.
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

// Two loops are enough.
func.func @two_loops(%x: memref<3000xi32>, %w: memref<4xi32>, %y: memref<6002xi32>) {
  affine.for %i = 0 to 3000 {
    affine.for %k = 0 to 4 {
      %u = affine.load %x[%i] : memref<3000xi32>
      %v = affine.load %w[%k] : memref<4xi32>
      %p = arith.muli %u, %v : i32
      %s = affine.load %y[%i * 2 + %k] : memref<6002xi32>
      %t = arith.addi %s, %p : i32
      affine.store %t, %y[%i * 2 + %k] : memref<6002xi32>
    }
  }
  return
}

// Elements are updated by descending %i, which the gather keeps; sizes are those of the run.
func.func @taps_outside(%x: memref<?xf32>, %w: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %m = memref.dim %w, %c0 : memref<?xf32>
  affine.for %k = 0 to %m {
    affine.for %i = 0 to %n {
      %u = affine.load %x[%i] : memref<?xf32>
      %v = affine.load %w[%k] : memref<?xf32>
      %p = arith.mulf %u, %v : f32
      %s = affine.load %y[%i * 2 + %k] : memref<?xf32>
      %t = arith.addf %s, %p : f32
      affine.store %t, %y[%i * 2 + %k] : memref<?xf32>
    }
  }
  return
}

// A counter that is subtracted is as good.
func.func @backwards(%x: memref<3000xi32>, %w: memref<5xi32>, %y: memref<9004xi32>) {
  affine.for %i = 0 to 3000 {
    affine.for %k = 0 to 5 {
      %u = affine.load %x[%i] : memref<3000xi32>
      %v = affine.load %w[%k] : memref<5xi32>
      %p = arith.muli %u, %v : i32
      %s = affine.load %y[%i * 3 - %k + 4] : memref<9004xi32>
      %t = arith.addi %s, %p : i32
      affine.store %t, %y[%i * 3 - %k + 4] : memref<9004xi32>
    }
  }
  return
}

// The steps of the loops count.
func.func @of_every_other(%x: memref<6000xi32>, %w: memref<9xi32>, %y: memref<6009xi32>) {
  affine.for %i = 0 to 6000 step 2 {
    affine.for %k = 1 to 9 {
      %u = affine.load %x[%i] : memref<6000xi32>
      %v = affine.load %w[%k] : memref<9xi32>
      %p = arith.muli %u, %v : i32
      %s = affine.load %y[%i + %k] : memref<6009xi32>
      %t = arith.addi %s, %p : i32
      affine.store %t, %y[%i + %k] : memref<6009xi32>
    }
  }
  return
}

// The subscript adds no counter as it is. For one %p, elements of different %i are apart: %p outermost, each of its
// iterations a launch, and the sum over %b innermost.
func.func @permuted(%x: memref<40x300xi32>, %k: memref<40x3xi32>, %y: memref<1203xi32>) {
  affine.for %b = 0 to 40 {
    affine.for %i = 0 to 300 {
      affine.for %p = 0 to 3 {
        %u = affine.load %x[%b, %i] : memref<40x300xi32>
        %v = affine.load %k[%b, %p] : memref<40x3xi32>
        %w = arith.muli %u, %v : i32
        %s = affine.load %y[%i * 4 + %p * 2] : memref<1203xi32>
        %t = arith.addi %s, %w : i32
        affine.store %t, %y[%i * 4 + %p * 2] : memref<1203xi32>
      }
    }
  }
  return
}

// Too few iterations for a launch.
func.func @stays_short(%x: memref<30xi32>, %w: memref<4xi32>, %y: memref<62xi32>) {
  affine.for %i = 0 to 30 {
    affine.for %k = 0 to 4 {
      %u = affine.load %x[%i] : memref<30xi32>
      %v = affine.load %w[%k] : memref<4xi32>
      %p = arith.muli %u, %v : i32
      %s = affine.load %y[%i * 2 + %k] : memref<62xi32>
      %t = arith.addi %s, %p : i32
      affine.store %t, %y[%i * 2 + %k] : memref<62xi32>
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

