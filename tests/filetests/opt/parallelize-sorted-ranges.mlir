// Loops over ranges between the numbers of an array are parallel where the array is sorted, which the run tests.
// test: opt --parallelize-sorted-ranges --canonicalize
// test: run-opt --entry=rows --arg=iota[5] --arg=random:1[9] --arg=random:2[9]
// test: run-opt --entry=rows --arg=zeros[5] --arg=random:1[9] --arg=random:2[9]
// test: run-opt --entry=cells --arg=iota --arg=random:1[13] --arg=random:2[13]
// test: run-opt --entry=two_sweeps --arg=iota[5] --arg=random:1[9]
// test: run-opt --entry=overlapping --arg=iota[7] --arg=random:1[9] --arg=random:2[9]
// test: run-opt --entry=written --arg=iota[5] --arg=random:2[9]
// test: run-opt --entry=one_too_far --arg=iota[5] --arg=random:1[9] --arg=random:2[9]
// test: run-opt --entry=descending --arg=zeros[5] --arg=random:1[9] --arg=random:2[9]

func.func @rows(%rows: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to 4 {
    %l = affine.load %rows[%i] : memref<?xi32>
    %u = affine.load %rows[%i + 1] : memref<?xi32>
    %low = arith.index_cast %l : i32 to index
    %high = arith.index_cast %u : i32 to index
    scf.for %p = %low to %high step %c1 {
      %v = memref.load %x[%p] : memref<?xf32>
      %w = arith.addf %v, %v : f32
      memref.store %w, %y[%p] : memref<?xf32>
    }
  }
  return
}

// A grid of cells: the ranges of all cells follow each other, so that both loops are parallel.
func.func @cells(%cells: memref<13xindex>, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 4 {
      %low = affine.load %cells[%i * 4 + %j] : memref<13xindex>
      %high = affine.load %cells[%i * 4 + %j + 1] : memref<13xindex>
      scf.for %p = %low to %high step %c1 {
        %v = memref.load %x[%p] : memref<?xf32>
        memref.store %v, %y[%p] : memref<?xf32>
      }
    }
  }
  return
}

// Two loops over the same range, the second one reads what the first one writes.
func.func @two_sweeps(%rows: memref<?xi32>, %y: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to 4 {
    %l = affine.load %rows[%i] : memref<?xi32>
    %u = affine.load %rows[%i + 1] : memref<?xi32>
    %low = arith.index_cast %l : i32 to index
    %high = arith.index_cast %u : i32 to index
    scf.for %p = %low to %high step %c1 {
      %v = memref.load %y[%p] : memref<?xf32>
      %w = math.exp %v : f32
      memref.store %w, %y[%p] : memref<?xf32>
    }
    scf.for %p = %low to %high step %c1 {
      %v = memref.load %y[%p] : memref<?xf32>
      %w = arith.mulf %v, %v : f32
      memref.store %w, %y[%p] : memref<?xf32>
    }
  }
  return
}

// The rest stays. Ranges of two rows each overlap.
func.func @overlapping(%rows: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to 4 {
    %l = affine.load %rows[%i] : memref<?xi32>
    %u = affine.load %rows[%i + 2] : memref<?xi32>
    %low = arith.index_cast %l : i32 to index
    %high = arith.index_cast %u : i32 to index
    scf.for %p = %low to %high step %c1 {
      %v = memref.load %x[%p] : memref<?xf32>
      memref.store %v, %y[%p] : memref<?xf32>
    }
  }
  return
}

// The loop writes the array.
func.func @written(%rows: memref<?xindex>, %y: memref<?xindex>) {
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to 4 {
    %low = affine.load %rows[%i] : memref<?xindex>
    %high = affine.load %rows[%i + 1] : memref<?xindex>
    scf.for %p = %low to %high step %c1 {
      memref.store %p, %y[%p] : memref<?xindex>
    }
    affine.store %low, %rows[%i + 1] : memref<?xindex>
  }
  return
}

// The last element belongs to the next row.
func.func @one_too_far(%rows: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to 4 {
    %l = affine.load %rows[%i] : memref<?xi32>
    %u = affine.load %rows[%i + 1] : memref<?xi32>
    %low = arith.index_cast %l : i32 to index
    %high = arith.index_cast %u : i32 to index
    scf.for %p = %low to %high step %c1 {
      %v = memref.load %x[%p] : memref<?xf32>
      %q = arith.addi %p, %c1 : index
      memref.store %v, %y[%p] : memref<?xf32>
      memref.store %v, %y[%q] : memref<?xf32>
    }
  }
  return
}

// From the next number to this one: of a sorted array, nothing.
func.func @descending(%rows: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to 4 {
    %l = affine.load %rows[-%i + 4] : memref<?xi32>
    %u = affine.load %rows[-%i + 3] : memref<?xi32>
    %low = arith.index_cast %l : i32 to index
    %high = arith.index_cast %u : i32 to index
    scf.for %p = %low to %high step %c1 {
      %v = memref.load %x[%p] : memref<?xf32>
      memref.store %v, %y[%p] : memref<?xf32>
    }
  }
  return
}
