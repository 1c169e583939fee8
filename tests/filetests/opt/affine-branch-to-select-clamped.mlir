// Loads whose condition on counters keeps them in range become loads at clamped indices, and the branch a selection.
// test: opt --affine-mark-inbounds --affine-branch-to-select=target=cpu
// test: run-opt --entry=strided --arg=iota --arg=iota --arg=zeros
// test: run --entry=strided --arg=iota --arg=iota --arg=zeros
// expect: arg 2 = [0, 1, 2, 2, 4, 3, 6]
// The other ones, as the program says:
// test: run-opt --entry=padded --arg=random:1 --arg=random:2 --arg=zeros
// test: run-opt --entry=dilated --arg=iota --arg=iota --arg=zeros
// test: run-opt --entry=edges --arg=random:1 --arg=zeros
// test: run-opt --entry=open --arg=random:1[7x9] --arg=zeros[7x9] --arg=7 --arg=9
// test: run-opt --entry=open --arg=random:1[0x9] --arg=zeros[0x9] --arg=0 --arg=9
// test: run-opt --entry=maybe_empty --arg=random:1[0] --arg=zeros[7] --arg=0
// test: run-opt --entry=maybe_empty --arg=random:1[5] --arg=zeros[7] --arg=5
// test: run-opt --entry=empty --arg=zeros[0] --arg=iota
// test: run-opt --entry=in_place --arg=iota
// test: run-opt --entry=local --arg=random:1
// test: run-opt --entry=divisor --arg=iota --arg=random:1 --arg=0
// test: run --entry=padded --arg=random:1 --arg=random:2 --arg=zeros
// test: run --entry=dilated --arg=iota --arg=iota --arg=zeros
// test: run --entry=edges --arg=random:1 --arg=zeros
// test: run --entry=open --arg=random:1[7x9] --arg=zeros[7x9] --arg=7 --arg=9
// test: run --entry=open --arg=random:1[0x9] --arg=zeros[0x9] --arg=0 --arg=9
// test: run --entry=maybe_empty --arg=random:1[0] --arg=zeros[7] --arg=0
// test: run --entry=maybe_empty --arg=random:1[5] --arg=zeros[7] --arg=5
// test: run --entry=empty --arg=zeros[0] --arg=iota
// test: run --entry=in_place --arg=iota
// test: run --entry=local --arg=random:1
// test: run --entry=divisor --arg=iota --arg=random:1 --arg=0
#inside = affine_set<(d0, d1) : (d0 >= 0, 8 - d0 >= 0, d1 >= 0, 10 - d1 >= 0)>

// A convolution with zero padding: where the window leaves the image, the sum stays, so that its bits do.
func.func @padded(%x: memref<9x11xf32>, %w: memref<3x3xf32>, %y: memref<9x11xf32>) {
  %zero = arith.constant -0.0 : f32
  affine.for %i = 0 to 9 {
    affine.for %j = 0 to 11 {
      %s = affine.for %p = 0 to 3 iter_args(%a = %zero) -> (f32) {
        %t = affine.for %q = 0 to 3 iter_args(%b = %a) -> (f32) {
          %r = affine.apply affine_map<(d0, d1) -> (d0 + d1 - 1)>(%i, %p)
          %c = affine.apply affine_map<(d0, d1) -> (d0 + d1 - 1)>(%j, %q)
          %v = affine.if #inside(%r, %c) -> f32 {
            %k = affine.load %x[%i + %p - 1, %j + %q - 1] : memref<9x11xf32>
            %u = affine.load %w[%p, %q] : memref<3x3xf32>
            %m = arith.mulf %k, %u : f32
            %n = arith.addf %b, %m : f32
            affine.yield %n : f32
          } else {
            affine.yield %b : f32
          }
          affine.yield %v : f32
        }
        affine.yield %t : f32
      }
      affine.store %s, %y[%i, %j] : memref<9x11xf32>
    }
  }
  return
}

// Comparisons joined by `andi`, of a loaded byte that is extended.
func.func @dilated(%x: memref<20xi8>, %w: memref<3xi8>, %y: memref<20xi32>) {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c20 = arith.constant 20 : index
  affine.for %i = 0 to 20 {
    %s = affine.for %q = 0 to 3 iter_args(%a = %zero) -> (i32) {
      %at = affine.apply affine_map<(d0, d1) -> (d0 + d1 * 4 - 4)>(%i, %q)
      %low = arith.cmpi sge, %at, %c0 : index
      %high = arith.cmpi slt, %at, %c20 : index
      %both = arith.andi %low, %high : i1
      %t = scf.if %both -> i32 {
        %v = memref.load %x[%at] : memref<20xi8>
        %e = arith.extsi %v : i8 to i32
        %u = affine.load %w[%q] : memref<3xi8>
        %f = arith.extsi %u : i8 to i32
        %m = arith.muli %e, %f : i32
        %n = arith.addi %a, %m : i32
        scf.yield %n : i32
      } else {
        scf.yield %a : i32
      }
      affine.yield %t : i32
    }
    affine.store %s, %y[%i] : memref<20xi32>
  }
  return
}

// A transposed convolution of stride 2: only every second term is one. y[i] = sum over q of x[(i - q) / 2] * w[q] for even i - q.
func.func @strided(%x: memref<3xi32>, %w: memref<3xi32>, %y: memref<7xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 7 {
    %s = affine.for %q = 0 to 3 iter_args(%a = %zero) -> (i32) {
      %t = affine.if affine_set<(d0, d1) : (d0 - d1 >= 0, d1 - d0 + 5 >= 0, (d0 - d1) mod 2 == 0)>(%i, %q) -> i32 {
        %v = affine.load %x[(%i - %q) floordiv 2] : memref<3xi32>
        %u = affine.load %w[%q] : memref<3xi32>
        %k = arith.constant 1 : i32
        %v1 = arith.addi %v, %k : i32
        %m = arith.muli %v1, %u : i32
        %n = arith.addi %a, %m : i32
        affine.yield %n : i32
      } else {
        affine.yield %a : i32
      }
      affine.yield %t : i32
    }
    affine.store %s, %y[%i] : memref<7xi32>
  }
  return
}

// Branches in a branch, and several results.
func.func @edges(%x: memref<5x7xf32>, %y: memref<5x7xf32>) {
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 7 {
      %c = affine.load %x[%i, %j] : memref<5x7xf32>
      %v:2 = affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%i) -> (f32, f32) {
        %u = affine.load %x[%i - 1, %j] : memref<5x7xf32>
        %k = affine.if affine_set<(d0) : (5 - d0 >= 0)>(%j) -> f32 {
          %r = affine.load %x[%i - 1, %j + 1] : memref<5x7xf32>
          affine.yield %r : f32
        } else {
          affine.yield %u : f32
        }
        affine.yield %u, %k : f32, f32
      } else {
        affine.yield %c, %c : f32, f32
      }
      %s = arith.addf %v#0, %v#1 : f32
      affine.store %s, %y[%i, %j] : memref<5x7xf32>
    }
  }
  return
}

// Open sizes: an iteration runs, and the image has as many rows, so that there is an element.
func.func @open(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %h: index, %w: index) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %x, %c0 : memref<?x?xf32>
  %columns = memref.dim %x, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %rows {
    affine.for %j = 0 to %columns {
      %t = affine.if affine_set<(d0, d1) : (d0 - 1 >= 0, d1 - 1 >= 0)>(%i, %j) -> f32 {
        %v = affine.load %x[%i - 1, %j - 1] : memref<?x?xf32>
        affine.yield %v : f32
      } else {
        affine.yield %zero : f32
      }
      affine.store %t, %y[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// Nothing says that there is an element: the branch stays.
func.func @maybe_empty(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 7 {
    %t = affine.if affine_set<(d0)[s0] : (s0 - d0 - 1 >= 0)>(%i)[%n] -> f32 {
      %v = affine.load %x[%i] : memref<?xf32>
      affine.yield %v : f32
    } else {
      affine.yield %zero : f32
    }
    affine.store %t, %y[%i] : memref<?xf32>
  }
  return
}

// There is no element, and the condition never holds.
func.func @empty(%x: memref<0xf32>, %y: memref<7xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 7 {
    %t = affine.if affine_set<(d0) : (d0 - 7 >= 0)>(%i) -> f32 {
      %v = affine.load %x[%i] : memref<0xf32>
      affine.yield %v : f32
    } else {
      affine.yield %zero : f32
    }
    affine.store %t, %y[%i] : memref<7xf32>
  }
  return
}

// The condition keeps what is read apart from what is written: the branch stays.
func.func @in_place(%x: memref<105xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 70 {
    %t = affine.if affine_set<(d0) : (d0 - 35 >= 0)>(%i) -> f32 {
      %v = affine.load %x[%i + 35] : memref<105xf32>
      affine.yield %v : f32
    } else {
      affine.yield %zero : f32
    }
    affine.store %t, %x[%i] : memref<105xf32>
  }
  return
}

// Memory of the function may hold nothing yet where the condition does not hold: the branch stays.
func.func @local(%y: memref<9xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<9xf32>
  affine.for %i = 3 to 9 {
    affine.store %zero, %a[%i] : memref<9xf32>
  }
  affine.for %i = 0 to 9 {
    %t = affine.if affine_set<(d0) : (d0 - 4 >= 0)>(%i) -> f32 {
      %v = affine.load %a[%i - 1] : memref<9xf32>
      affine.yield %v : f32
    } else {
      affine.yield %zero : f32
    }
    affine.store %t, %y[%i] : memref<9xf32>
  }
  memref.dealloc %a : memref<9xf32>
  return
}

// The divisor may be 0 where the condition does not hold: the branch stays.
func.func @divisor(%x: memref<9xf32>, %y: memref<9xf32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 9 {
    %t = affine.if affine_set<(d0)[s0] : (s0 - 1 >= 0)>(%i)[%n] -> f32 {
      %v = affine.load %x[%i floordiv symbol(%n)] : memref<9xf32>
      affine.yield %v : f32
    } else {
      affine.yield %zero : f32
    }
    affine.store %t, %y[%i] : memref<9xf32>
  }
  return
}
