// test: opt --affine-parallelize-scatters
// test: run-opt --entry=of_open_arrays --arg=random:1[700] --arg=iota[700] --arg=zeros[16x8] --arg=zeros[16x8]
// test: run-opt --entry=of_pairs --arg=random:2 --arg=iota --arg=zeros --arg=zeros --arg=zeros
// test: run-opt --entry=of_a_nest --arg=random:3 --arg=zeros
// test: run-opt --entry=of_rows --arg=random:4 --arg=random:5 --arg=zeros
// test: run-opt --entry=beside_others --arg=random:6 --arg=random:7 --arg=zeros --arg=zeros
// test: run-opt --entry=in_steps --arg=random:8 --arg=zeros
// test: run-opt --entry=left_of_inner_size --arg=random:13 --arg=iota --arg=zeros
// test: run-opt --entry=left_in_rows --arg=random:14 --arg=zeros
// test: run-opt --entry=left_reading --arg=random:9 --arg=zeros
// test: run-opt --entry=left_writing_keys --arg=random:10 --arg=zeros
// test: run-opt --entry=left_aliased --arg=random:11 --arg=zeros
// test: run-opt --entry=left_apart --arg=random:12 --arg=zeros --arg=zeros

// Under a condition, to arrays of open sizes: each has its own numbers, and the number of iterations is tested.
func.func @of_open_arrays(%key: memref<?xi32>, %x: memref<?xf32>, %y: memref<?x?xf32>, %at: memref<?x?xi32>) {
  %fifteen = arith.constant 15 : i32
  %seven = arith.constant 7 : i32
  %three = arith.constant 3 : i32
  %c0 = arith.constant 0 : index
  %n = memref.dim %key, %c0 : memref<?xi32>
  affine.for %i = 1 to %n step 2 {
    %k = affine.load %key[%i] : memref<?xi32>
    %high = arith.andi %k, %fifteen : i32
    %row = arith.index_cast %high : i32 to index
    %low = arith.andi %k, %seven : i32
    %column = arith.index_cast %low : i32 to index
    %c = arith.cmpi ne, %low, %three : i32
    scf.if %c {
      %v = affine.load %x[%i] : memref<?xf32>
      memref.store %v, %y[%row, %column] : memref<?x?xf32>
      %p = arith.index_cast %i : index to i32
      memref.store %p, %at[%row, %column] : memref<?x?xi32>
    }
  }
  return
}

// Neighbours in one array, and two arrays at the same subscripts, which share the numbers.
func.func @of_pairs(%key: memref<600xi32>, %x: memref<600xf32>, %y: memref<64xf32>, %a: memref<32xf32>, %b: memref<32xi32>) {
  %mask = arith.constant 31 : i32
  affine.for %i = 0 to 600 {
    %k = affine.load %key[%i] : memref<600xi32>
    %low = arith.andi %k, %mask : i32
    %j = arith.index_cast %low : i32 to index
    %v = affine.load %x[%i] : memref<600xf32>
    %w = arith.addf %v, %v : f32
    %first = affine.apply affine_map<(d0) -> (d0 * 2)>(%j)
    %second = affine.apply affine_map<(d0) -> ((d0 * 2 + 3) mod 64)>(%j)
    memref.store %v, %y[%first] : memref<64xf32>
    memref.store %w, %y[%second] : memref<64xf32>
    memref.store %v, %a[%j] : memref<32xf32>
    memref.store %k, %b[%j] : memref<32xi32>
  }
  return
}

// Perfect loops are coalesced, since nothing else ties the inner one.
func.func @of_a_nest(%key: memref<20x30xi32>, %y: memref<32xi32>) {
  %mask = arith.constant 31 : i32
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 30 {
      %k = affine.load %key[%i, %j] : memref<20x30xi32>
      %low = arith.andi %k, %mask : i32
      %to = arith.index_cast %low : i32 to index
      %v = affine.apply affine_map<(d0, d1) -> (d0 * 100 + d1)>(%i, %j)
      %p = arith.index_cast %v : index to i32
      memref.store %p, %y[%to] : memref<32xi32>
    }
  }
  return
}

// A row may store to an element many times: it does so in its own order.
func.func @of_rows(%key: memref<520x9xi32>, %length: memref<520xi32>, %y: memref<64xi32>) {
  %mask = arith.constant 63 : i32
  %seven = arith.constant 7 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to 520 {
    %l = affine.load %length[%i] : memref<520xi32>
    %short = arith.andi %l, %seven : i32
    %n = arith.index_cast %short : i32 to index
    scf.for %j = %c0 to %n step %c1 {
      %k = memref.load %key[%i, %j] : memref<520x9xi32>
      %low = arith.andi %k, %mask : i32
      %to = arith.index_cast %low : i32 to index
      %v = affine.apply affine_map<(d0, d1) -> (d0 * 100 + d1)>(%i, %j)
      %p = arith.index_cast %v : index to i32
      memref.store %p, %y[%to] : memref<64xi32>
    }
  }
  return
}

// What else the iteration does stays in the last step, where it happens once.
func.func @beside_others(%key: memref<600xi32>, %x: memref<600xi32>, %y: memref<64xi32>, %z: memref<600xi32>) {
  %mask = arith.constant 63 : i32
  affine.for %i = 0 to 600 {
    %v = affine.load %x[%i] : memref<600xi32>
    %old = affine.load %z[%i] : memref<600xi32>
    %new = arith.addi %old, %v : i32
    affine.store %new, %z[%i] : memref<600xi32>
    %k = affine.load %key[%i] : memref<600xi32>
    %low = arith.andi %k, %mask : i32
    %j = arith.index_cast %low : i32 to index
    memref.store %new, %y[%j] : memref<64xi32>
  }
  return
}

// In each step of a loop whose steps follow one another.
func.func @in_steps(%key: memref<600xi32>, %y: memref<64xi32>) {
  %mask = arith.constant 63 : i32
  affine.for %t = 0 to 3 {
    affine.for %i = 0 to 600 {
      %k = affine.load %key[%i] : memref<600xi32>
      %low = arith.andi %k, %mask : i32
      %j = arith.index_cast %low : i32 to index
      %v = affine.apply affine_map<(d0, d1) -> (d0 * 1000 + d1)>(%t, %i)
      %p = arith.index_cast %v : index to i32
      memref.store %p, %y[%j] : memref<64xi32>
    }
    affine.for %i = 0 to 600 {
      %k = affine.load %y[%i mod 64] : memref<64xi32>
      affine.store %k, %key[%i] : memref<600xi32>
    }
  }
  return
}

// An iteration reads what an earlier one stored.
func.func @left_reading(%key: memref<600xi32>, %y: memref<64xi32>) {
  %mask = arith.constant 63 : i32
  affine.for %i = 0 to 600 {
    %k = affine.load %key[%i] : memref<600xi32>
    %low = arith.andi %k, %mask : i32
    %j = arith.index_cast %low : i32 to index
    %other = affine.load %y[%i mod 64] : memref<64xi32>
    %v = arith.addi %other, %k : i32
    memref.store %v, %y[%j] : memref<64xi32>
  }
  return
}

// The iteration itself writes the key that it then loads.
func.func @left_writing_keys(%key: memref<600xi32>, %y: memref<64xi32>) {
  %mask = arith.constant 63 : i32
  %five = arith.constant 5 : i32
  affine.for %i = 0 to 600 {
    %k = affine.load %key[%i] : memref<600xi32>
    %turned = arith.muli %k, %five : i32
    affine.store %turned, %key[%i] : memref<600xi32>
    %again = affine.load %key[%i] : memref<600xi32>
    %low = arith.andi %again, %mask : i32
    %j = arith.index_cast %low : i32 to index
    memref.store %k, %y[%j] : memref<64xi32>
  }
  return
}

// Another view of the array is stored to by other subscripts.
func.func @left_aliased(%key: memref<600xi32>, %y: memref<8x8xi32>) {
  %mask = arith.constant 63 : i32
  %flat = memref.collapse_shape %y [[0, 1]] : memref<8x8xi32> into memref<64xi32>
  %seven = arith.constant 7 : i32
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to 600 {
    %k = affine.load %key[%i] : memref<600xi32>
    %low = arith.andi %k, %mask : i32
    %j = arith.index_cast %low : i32 to index
    memref.store %k, %flat[%j] : memref<64xi32>
    %few = arith.andi %k, %seven : i32
    %row = arith.index_cast %few : i32 to index
    memref.store %few, %y[%row, %c0] : memref<8x8xi32>
  }
  return
}

// Iterations also store to one element that they do not choose.
func.func @left_apart(%key: memref<600xi32>, %y: memref<64xi32>, %newest: memref<1xi32>) {
  %mask = arith.constant 63 : i32
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to 600 {
    %k = affine.load %key[%i] : memref<600xi32>
    %low = arith.andi %k, %mask : i32
    %j = arith.index_cast %low : i32 to index
    memref.store %k, %y[%j] : memref<64xi32>
    affine.store %low, %newest[0] : memref<1xi32>
  }
  return
}

// Too few iterations for three launches.
func.func @left_short(%key: memref<40xi32>, %y: memref<64xi32>) {
  affine.for %i = 0 to 40 {
    %k = affine.load %key[%i] : memref<40xi32>
    %j = arith.index_cast %k : i32 to index
    memref.store %k, %y[%j] : memref<64xi32>
  }
  return
}

// The size of the array is a number of the loop around, and no bound of affine loops.
func.func @left_of_inner_size(%key: memref<600xi32>, %size: memref<3xi32>, %y: memref<3xi32>) {
  %seven = arith.constant 7 : i32
  %eight = arith.constant 8 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %t = %c0 to %c3 step %c1 {
    %s = memref.load %size[%t] : memref<3xi32>
    %more = arith.addi %s, %eight : i32
    %n = arith.index_cast %more : i32 to index
    %b = memref.alloc(%n) : memref<?xi32>
    memref.store %eight, %b[%c0] : memref<?xi32>
    affine.for %i = 0 to 600 {
      %k = affine.load %key[%i] : memref<600xi32>
      %low = arith.andi %k, %seven : i32
      %j = arith.index_cast %low : i32 to index
      memref.store %k, %b[%j] : memref<?xi32>
    }
    %first = memref.load %b[%c0] : memref<?xi32>
    memref.store %first, %y[%t] : memref<3xi32>
    memref.dealloc %b : memref<?xi32>
  }
  return
}

// Rows are parallel already, each with its own elements.
func.func @left_in_rows(%key: memref<5x600xi32>, %y: memref<5x16xi32>) {
  %fifteen = arith.constant 15 : i32
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 600 {
      %k = affine.load %key[%i, %j] : memref<5x600xi32>
      %low = arith.andi %k, %fifteen : i32
      %to = arith.index_cast %low : i32 to index
      memref.store %k, %y[%i, %to] : memref<5x16xi32>
    }
  }
  return
}

// Many elements for few iterations.
func.func @left_large(%key: memref<600xi32>, %y: memref<20000xi32>) {
  affine.for %i = 0 to 600 {
    %k = affine.load %key[%i] : memref<600xi32>
    %j = arith.index_cast %k : i32 to index
    memref.store %k, %y[%j] : memref<20000xi32>
  }
  return
}
