// Arrays that the caller sees, or another nest reads: the last iteration assigns them.
// test: opt --affine-privatize
// test: run-opt --entry=scratch_row --arg=random:1 --arg=random:2 --arg=random:3 --arg=random:4
// test: run-opt --entry=open_end --arg=random:1 --arg=random:2 --arg=iota --arg=5
// test: run-opt --entry=open_end --arg=random:1 --arg=random:2 --arg=iota --arg=0
// test: run-opt --entry=steps --arg=random:1 --arg=random:2 --arg=iota
// test: run-opt --entry=two_loops --arg=random:1 --arg=random:2 --arg=iota
// test: run-opt --entry=some_elements --arg=random:1 --arg=random:2 --arg=iota --arg=3
// test: run-opt --entry=some_elements --arg=random:1 --arg=random:2 --arg=iota --arg=0
// test: run-opt --entry=branches --arg=random:1 --arg=random:2 --arg=iota
// test: run-opt --entry=two_nests --arg=random:1 --arg=random:2 --arg=random:3
// test: run-opt --entry=global_row --arg=random:1 --arg=random:2
// test: run-opt --entry=grows --arg=random:1 --arg=random:2 --arg=iota
// test: run-opt --entry=empty_at_the_end --arg=random:1 --arg=random:2 --arg=iota
// test: run-opt --entry=sometimes --arg=random:1 --arg=random:2 --arg=iota
// test: run-opt --entry=overlapping --arg=random:1 --arg=random:2 --arg=iota
// test: run-opt --entry=least_of_two --arg=random:1 --arg=random:2 --arg=iota --arg=5
// test: run-opt --entry=only_written --arg=random:1 --arg=random:2 --arg=iota
// test: run-opt --entry=inner_is_parallel --arg=random:1 --arg=random:2 --arg=iota

// A recurrence along the row, in two arrays of the caller.
func.func @scratch_row(%a: memref<7x6xf32>, %b: memref<7x6xf32>, %c: memref<6xf32>, %d: memref<6xf32>) {
  affine.for %r = 0 to 7 {
    %x0 = affine.load %a[%r, 0] : memref<7x6xf32>
    affine.store %x0, %c[0] : memref<6xf32>
    affine.store %x0, %d[0] : memref<6xf32>
    affine.for %i = 1 to 6 {
      %x = affine.load %a[%r, %i] : memref<7x6xf32>
      %before = affine.load %c[%i - 1] : memref<6xf32>
      %sum = arith.addf %before, %x : f32
      affine.store %sum, %c[%i] : memref<6xf32>
      %other = affine.load %d[%i - 1] : memref<6xf32>
      %product = arith.mulf %other, %sum : f32
      affine.store %product, %d[%i] : memref<6xf32>
    }
    affine.for %i = 0 to 6 {
      %x = affine.load %c[-%i + 5] : memref<6xf32>
      %y = affine.load %d[%i] : memref<6xf32>
      %z = arith.subf %x, %y : f32
      affine.store %z, %b[%r, %i] : memref<7x6xf32>
    }
  }
  return
}

// The number of iterations is known at run time, and may be 0: then the array stays as it was.
func.func @open_end(%a: memref<7x6xf32>, %b: memref<7x6xf32>, %t: memref<6xf32>, %n: index) {
  affine.for %r = 0 to %n {
    affine.for %i = 0 to 6 {
      %x = affine.load %a[%r, %i] : memref<7x6xf32>
      affine.store %x, %t[%i] : memref<6xf32>
    }
    affine.for %i = 1 to 6 {
      %x = affine.load %t[%i] : memref<6xf32>
      %y = affine.load %t[%i - 1] : memref<6xf32>
      %z = arith.addf %x, %y : f32
      affine.store %z, %b[%r, %i] : memref<7x6xf32>
    }
  }
  return
}

// The last iteration is that of 4, since 7 is not met.
func.func @steps(%a: memref<7x6xf32>, %b: memref<7x6xf32>, %t: memref<6xf32>) {
  affine.for %r = 1 to 7 step 3 {
    affine.for %i = 0 to 6 {
      %x = affine.load %a[%r, %i] : memref<7x6xf32>
      affine.store %x, %t[%i] : memref<6xf32>
    }
    affine.for %i = 1 to 6 {
      %x = affine.load %t[%i - 1] : memref<6xf32>
      affine.store %x, %b[%r, %i] : memref<7x6xf32>
    }
  }
  return
}

// One element is private in both loops: only the last iteration of both assigns it.
func.func @two_loops(%a: memref<7x6xf32>, %b: memref<7x6xf32>, %t: memref<3xf32>) {
  affine.for %r = 0 to 7 {
    affine.for %i = 0 to 6 {
      %x = affine.load %a[%r, %i] : memref<7x6xf32>
      affine.store %x, %t[1] : memref<3xf32>
      %y = affine.load %t[1] : memref<3xf32>
      affine.store %y, %b[%r, -%i + 5] : memref<7x6xf32>
    }
  }
  return
}

// Elements that no iteration writes stay, and that of a store under a condition is one that all iterations write.
func.func @some_elements(%a: memref<7x6xf32>, %b: memref<7x6xf32>, %t: memref<9xf32>, %n: index) {
  %half = arith.constant 0.5 : f32
  affine.for %r = 0 to 7 {
    affine.for %i = 0 to %n {
      %x = affine.load %a[%r, %i] : memref<7x6xf32>
      affine.store %x, %t[%i * 2 + 1] : memref<9xf32>
      %is_large = arith.cmpf ogt, %x, %half : f32
      scf.if %is_large {
        affine.store %half, %t[%i * 2 + 1] : memref<9xf32>
      }
      %y = affine.load %t[%i * 2 + 1] : memref<9xf32>
      affine.store %y, %b[%r, %i] : memref<7x6xf32>
    }
    affine.for %i = 0 to %n {
      %y = affine.load %t[%i * -2 + symbol(%n) * 2 - 1] : memref<9xf32>
      affine.store %y, %a[%r, %i] : memref<7x6xf32>
    }
  }
  return
}

// Both branches of a condition that is the same in each iteration.
#low = affine_set<(d0) : (-d0 + 2 >= 0)>
func.func @branches(%a: memref<7x6xf32>, %b: memref<7x6xf32>, %t: memref<6xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %r = 0 to 7 {
    affine.for %i = 0 to 6 {
      affine.if #low(%i) {
        affine.store %zero, %t[%i] : memref<6xf32>
      } else {
        %x = affine.load %a[%r, %i] : memref<7x6xf32>
        affine.store %x, %t[-%i + 8] : memref<6xf32>
      }
    }
    affine.for %i = 0 to 6 {
      %x = affine.load %t[%i] : memref<6xf32>
      affine.store %x, %b[%r, %i] : memref<7x6xf32>
    }
  }
  return
}

// A buffer of the function that two nests use in turn.
func.func @two_nests(%a: memref<7x6xf32>, %b: memref<7x6xf32>, %c: memref<7x6xf32>) {
  %t = memref.alloc() : memref<7xf32>
  affine.for %r = 0 to 7 {
    affine.for %i = 0 to 6 {
      %x = affine.load %a[%r, %i] : memref<7x6xf32>
      affine.store %x, %t[%i] : memref<7xf32>
    }
    affine.for %i = 0 to 6 {
      %x = affine.load %t[-%i + 5] : memref<7xf32>
      affine.store %x, %b[%r, %i] : memref<7x6xf32>
    }
  }
  affine.for %i = 0 to 6 {
    affine.for %r = 0 to 7 {
      %x = affine.load %b[%r, %i] : memref<7x6xf32>
      affine.store %x, %t[%r] : memref<7xf32>
    }
    affine.for %r = 0 to 7 {
      %x = affine.load %t[-%r + 6] : memref<7xf32>
      affine.store %x, %c[%r, %i] : memref<7x6xf32>
    }
  }
  memref.dealloc %t : memref<7xf32>
  return
}

// A row of the program, which other functions may read.
memref.global "private" @row : memref<6xf32> = dense<2.0>
func.func @global_row(%a: memref<7x6xf32>, %b: memref<7x6xf32>) {
  %t = memref.get_global @row : memref<6xf32>
  affine.for %r = 0 to 7 {
    affine.for %i = 0 to 6 {
      %x = affine.load %a[%r, %i] : memref<7x6xf32>
      affine.store %x, %t[%i] : memref<6xf32>
    }
    affine.for %i = 0 to 6 {
      %x = affine.load %t[-%i + 5] : memref<6xf32>
      affine.store %x, %b[%r, %i] : memref<7x6xf32>
    }
  }
  return
}

// Left alone: each iteration writes more than the ones before, or fewer.
func.func @grows(%a: memref<7x6xf32>, %b: memref<7x6xf32>, %t: memref<7xf32>) {
  affine.for %r = 0 to 6 {
    affine.for %i = 0 to affine_map<(d0) -> (-d0 + 6)>(%r) {
      %x = affine.load %a[%r, %i] : memref<7x6xf32>
      affine.store %x, %t[%i] : memref<7xf32>
    }
    affine.for %i = 0 to affine_map<(d0) -> (-d0 + 6)>(%r) {
      %x = affine.load %t[-%i - %r + 5] : memref<7xf32>
      affine.store %x, %b[%r, %i] : memref<7x6xf32>
    }
  }
  return
}

// One element, but the inner loop is empty in the last iteration: only the inner loop has a last iteration that assigns it.
func.func @empty_at_the_end(%a: memref<7x6xf32>, %b: memref<7x6xf32>, %t: memref<1xf32>) {
  affine.for %r = 0 to 7 {
    affine.for %i = 0 to affine_map<(d0) -> (-d0 + 5)>(%r) {
      %x = affine.load %a[%r, %i] : memref<7x6xf32>
      affine.store %x, %t[0] : memref<1xf32>
      %y = affine.load %t[0] : memref<1xf32>
      affine.store %y, %b[%r, -%i + 5] : memref<7x6xf32>
    }
  }
  return
}

// Left alone: data say whether an iteration writes the element.
func.func @sometimes(%a: memref<7x6xf32>, %b: memref<7x6xf32>, %t: memref<1xf32>) {
  %half = arith.constant 0.5 : f32
  affine.for %r = 0 to 7 {
    %x = affine.load %a[%r, 0] : memref<7x6xf32>
    %is_large = arith.cmpf ogt, %x, %half : f32
    scf.if %is_large {
      affine.store %x, %t[0] : memref<1xf32>
      %y = affine.load %t[0] : memref<1xf32>
      affine.store %y, %b[%r, 1] : memref<7x6xf32>
    }
  }
  return
}

// Left alone: another view of the array is read in the loop.
func.func @overlapping(%a: memref<7x6xf32>, %b: memref<7x6xf32>, %t: memref<6xf32>) {
  %u = memref.cast %t : memref<6xf32> to memref<?xf32>
  affine.for %r = 0 to 7 {
    affine.for %i = 0 to 6 {
      %x = affine.load %a[%r, %i] : memref<7x6xf32>
      affine.store %x, %t[%i] : memref<6xf32>
    }
    affine.for %i = 0 to 6 {
      %x = affine.load %u[-%i + 5] : memref<?xf32>
      affine.store %x, %b[%r, %i] : memref<7x6xf32>
    }
  }
  return
}

// Left alone: of two ends no comparison says which is met.
func.func @least_of_two(%a: memref<7x6xf32>, %b: memref<7x6xf32>, %t: memref<6xf32>, %n: index) {
  affine.for %r = 0 to min affine_map<()[s0] -> (s0, 4)>()[%n] {
    affine.for %i = 0 to 6 {
      %x = affine.load %a[%r, %i] : memref<7x6xf32>
      affine.store %x, %t[%i] : memref<6xf32>
    }
    affine.for %i = 0 to 6 {
      %x = affine.load %t[-%i + 5] : memref<6xf32>
      affine.store %x, %b[%r, %i] : memref<7x6xf32>
    }
  }
  return
}

// Left alone: the inner loop is parallel, and can be the outer one.
func.func @inner_is_parallel(%a: memref<7x6xf32>, %b: memref<7x6xf32>, %t: memref<6xf32>) {
  affine.for %r = 0 to 7 {
    affine.for %i = 0 to 6 {
      %x = affine.load %a[%r, %i] : memref<7x6xf32>
      affine.store %x, %t[%i] : memref<6xf32>
      %y = affine.load %t[%i] : memref<6xf32>
      affine.store %y, %b[%r, %i] : memref<7x6xf32>
    }
  }
  return
}

// Left alone: an array that the loop does not read. A single element is assigned by the last iteration.
func.func @only_written(%a: memref<7x6xf32>, %b: memref<7x6xf32>, %t: memref<6xf32>) {
  affine.for %r = 0 to 7 {
    affine.for %i = 0 to 5 {
      %x = affine.load %a[%r, %i] : memref<7x6xf32>
      affine.store %x, %t[2] : memref<6xf32>
    }
  }
  %last = memref.alloca() : memref<f32>
  affine.for %r = 0 to 7 {
    %x = affine.load %a[%r, 5] : memref<7x6xf32>
    affine.store %x, %last[] : memref<f32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %b[%r, 0] : memref<7x6xf32>
  }
  %x = affine.load %last[] : memref<f32>
  affine.store %x, %b[0, 1] : memref<7x6xf32>
  return
}
