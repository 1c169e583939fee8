// test: opt --affine-parallelize-ranks
// test: run-opt --entry=of_open_arrays --arg=random:1[8500] --arg=iota[16] --arg=iota[8500] --arg=zeros[9000]
// test: run-opt --entry=of_open_arrays --arg=random:1[90] --arg=iota[16] --arg=iota[90] --arg=zeros[200]
// test: run-opt --entry=downwards --arg=random:2 --arg=iota --arg=zeros
// test: run-opt --entry=of_some --arg=random:3 --arg=random:4 --arg=zeros --arg=zeros
// test: run-opt --entry=of_a_nest --arg=random:5 --arg=zeros --arg=zeros
// test: run-opt --entry=of_two --arg=random:6 --arg=iota --arg=iota --arg=zeros
// test: run-opt --entry=of_partly_filled_counters --arg=random:10 --arg=zeros
// test: run-opt --entry=in_steps --arg=random:11[2100] --arg=zeros --arg=zeros[2100] --arg=2
// test: run-opt --entry=left_in_an_inner_loop --arg=random:12 --arg=random:13 --arg=zeros --arg=zeros
// test: run-opt --entry=left_in_a_tied_loop --arg=random:14 --arg=zeros --arg=zeros --arg=zeros
// test: run-opt --entry=left_uncoalesced --arg=random:15[2100x8] --arg=zeros --arg=zeros[2100x8] --arg=2100
// test: run-opt --entry=left_reading_counters --arg=random:7 --arg=iota --arg=zeros
// test: run-opt --entry=left_choosing_keys --arg=random:8 --arg=iota --arg=zeros
// test: run-opt --entry=left_in_order --arg=random:9 --arg=iota --arg=zeros

// A stable distribution to buckets, whose places are masked; the run tests whether iterations are many and keys few.
func.func @of_open_arrays(%key: memref<?xi32>, %place: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>) {
  %fifteen = arith.constant 15 : i32
  %most = arith.constant 127 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %n = memref.dim %key, %c0 : memref<?xi32>
  affine.for %i = 0 to %n {
    %k = affine.load %key[%i] : memref<?xi32>
    %low = arith.andi %k, %fifteen : i32
    %j = arith.index_cast %low : i32 to index
    %p = memref.load %place[%j] : memref<?xi32>
    %masked = arith.andi %p, %most : i32
    %to = arith.index_cast %masked : i32 to index
    %v = affine.load %x[%i] : memref<?xf32>
    memref.store %v, %y[%to] : memref<?xf32>
    %next = arith.addi %p, %one : i32
    memref.store %next, %place[%j] : memref<?xi32>
  }
  return
}

// From the last iteration to the first, with the counter's value after the update.
func.func @downwards(%key: memref<2100xi32>, %place: memref<16xi32>, %y: memref<2100xi32>) {
  %fifteen = arith.constant 15 : i32
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 2100 {
    %k = affine.load %key[-%i + 2099] : memref<2100xi32>
    %low = arith.andi %k, %fifteen : i32
    %j = arith.index_cast %low : i32 to index
    %p = memref.load %place[%j] : memref<16xi32>
    %next = arith.subi %p, %one : i32
    memref.store %next, %place[%j] : memref<16xi32>
    affine.store %next, %y[-%i + 2099] : memref<2100xi32>
  }
  return
}

// Amounts that differ, of iterations that a condition chooses, of counters of two dimensions.
func.func @of_some(%key: memref<4300xi32>, %amount: memref<4300xi32>, %sum: memref<4x8xi32>, %y: memref<2150xi32>) {
  %three = arith.constant 3 : i32
  %seven = arith.constant 7 : i32
  affine.for %i = 1 to 4300 step 2 {
    %k = affine.load %key[%i] : memref<4300xi32>
    %low = arith.andi %k, %three : i32
    %row = arith.index_cast %low : i32 to index
    %e = affine.load %amount[%i] : memref<4300xi32>
    %few = arith.andi %e, %seven : i32
    %column = arith.index_cast %few : i32 to index
    %c = arith.cmpi ne, %low, %few : i32
    scf.if %c {
      %p = memref.load %sum[%row, %column] : memref<4x8xi32>
      %next = arith.addi %e, %p : i32
      memref.store %next, %sum[%row, %column] : memref<4x8xi32>
      affine.store %p, %y[%i floordiv 2] : memref<2150xi32>
    }
  }
  return
}

// Perfect loops are coalesced.
func.func @of_a_nest(%key: memref<70x40xi32>, %count: memref<8xi32>, %y: memref<70x40xi32>) {
  %seven = arith.constant 7 : i32
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 70 {
    affine.for %j = 0 to 40 {
      %k = affine.load %key[%i, %j] : memref<70x40xi32>
      %low = arith.andi %k, %seven : i32
      %b = arith.index_cast %low : i32 to index
      %p = memref.load %count[%b] : memref<8xi32>
      %next = arith.addi %p, %one : i32
      memref.store %next, %count[%b] : memref<8xi32>
      affine.store %p, %y[%i, %j] : memref<70x40xi32>
    }
  }
  return
}

// Two counters, one after the other.
func.func @of_two(%key: memref<2100xi32>, %first: memref<16xi32>, %second: memref<8xi32>, %y: memref<2100xi32>) {
  %fifteen = arith.constant 15 : i32
  %seven = arith.constant 7 : i32
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 2100 {
    %k = affine.load %key[%i] : memref<2100xi32>
    %low = arith.andi %k, %fifteen : i32
    %j = arith.index_cast %low : i32 to index
    %p = memref.load %first[%j] : memref<16xi32>
    %next = arith.addi %p, %one : i32
    memref.store %next, %first[%j] : memref<16xi32>
    %few = arith.andi %k, %seven : i32
    %l = arith.index_cast %few : i32 to index
    %q = memref.load %second[%l] : memref<8xi32>
    %after = arith.addi %q, %low : i32
    memref.store %after, %second[%l] : memref<8xi32>
    %both = arith.muli %p, %q : i32
    affine.store %both, %y[%i] : memref<2100xi32>
  }
  return
}

// Another access reads a counter.
func.func @left_reading_counters(%key: memref<2100xi32>, %count: memref<16xi32>, %y: memref<2100xi32>) {
  %fifteen = arith.constant 15 : i32
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 2100 {
    %k = affine.load %key[%i] : memref<2100xi32>
    %low = arith.andi %k, %fifteen : i32
    %j = arith.index_cast %low : i32 to index
    %p = memref.load %count[%j] : memref<16xi32>
    %next = arith.addi %p, %one : i32
    memref.store %next, %count[%j] : memref<16xi32>
    %other = affine.load %count[3] : memref<16xi32>
    %both = arith.addi %p, %other : i32
    affine.store %both, %y[%i] : memref<2100xi32>
  }
  return
}

// The amount depends on a counter.
func.func @left_choosing_keys(%key: memref<2100xi32>, %count: memref<16xi32>, %y: memref<2100xi32>) {
  %fifteen = arith.constant 15 : i32
  %three = arith.constant 3 : i32
  affine.for %i = 0 to 2100 {
    %k = affine.load %key[%i] : memref<2100xi32>
    %low = arith.andi %k, %fifteen : i32
    %j = arith.index_cast %low : i32 to index
    %p = memref.load %count[%j] : memref<16xi32>
    %few = arith.andi %p, %three : i32
    %more = arith.addi %few, %k : i32
    %next = arith.addi %p, %more : i32
    memref.store %next, %count[%j] : memref<16xi32>
    affine.store %p, %y[%i] : memref<2100xi32>
  }
  return
}

// The loop is sequential without the counter, too.
func.func @left_in_order(%key: memref<2100xi32>, %count: memref<16xi32>, %y: memref<2101xi32>) {
  %fifteen = arith.constant 15 : i32
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 2100 {
    %k = affine.load %key[%i] : memref<2100xi32>
    %low = arith.andi %k, %fifteen : i32
    %j = arith.index_cast %low : i32 to index
    %p = memref.load %count[%j] : memref<16xi32>
    %next = arith.addi %p, %one : i32
    memref.store %next, %count[%j] : memref<16xi32>
    %before = affine.load %y[%i] : memref<2101xi32>
    %turned = arith.muli %before, %p : i32
    affine.store %turned, %y[%i + 1] : memref<2101xi32>
  }
  return
}

// Fewer groups than are worth the steps.
func.func @left_short(%key: memref<2000xi32>, %count: memref<16xi32>, %y: memref<2000xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 2000 {
    %k = affine.load %key[%i] : memref<2000xi32>
    %j = arith.index_cast %k : i32 to index
    %p = memref.load %count[%j] : memref<16xi32>
    %next = arith.addi %p, %one : i32
    memref.store %next, %count[%j] : memref<16xi32>
    affine.store %p, %y[%i] : memref<2000xi32>
  }
  return
}

// Counters of keys that no iteration has hold nothing, and are not read.
func.func @of_partly_filled_counters(%key: memref<2100xi32>, %y: memref<2100xi32>) {
  %seven = arith.constant 7 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %count = memref.alloc() : memref<16xi32>
  affine.for %k = 0 to 8 {
    affine.store %zero, %count[%k] : memref<16xi32>
  }
  affine.for %i = 0 to 2100 {
    %k = affine.load %key[%i] : memref<2100xi32>
    %low = arith.andi %k, %seven : i32
    %j = arith.index_cast %low : i32 to index
    %p = memref.load %count[%j] : memref<16xi32>
    %next = arith.addi %p, %one : i32
    memref.store %next, %count[%j] : memref<16xi32>
    affine.store %p, %y[%i] : memref<2100xi32>
  }
  memref.dealloc %count : memref<16xi32>
  return
}

// The trip count depends on the counter of a loop around, which is a dimension and no symbol.
func.func @in_steps(%key: memref<?xi32>, %count: memref<8xi32>, %y: memref<?xi32>, %n: index) {
  %seven = arith.constant 7 : i32
  %one = arith.constant 1 : i32
  affine.for %t = 0 to %n {
    affine.for %i = 0 to affine_map<(d0) -> (d0 * 2100)>(%t) {
      %k = affine.load %key[%i] : memref<?xi32>
      %low = arith.andi %k, %seven : i32
      %j = arith.index_cast %low : i32 to index
      %p = memref.load %count[%j] : memref<8xi32>
      %next = arith.addi %p, %one : i32
      memref.store %next, %count[%j] : memref<8xi32>
      affine.store %p, %y[%i] : memref<?xi32>
    }
  }
  return
}

// An iteration changes counters many times.
func.func @left_in_an_inner_loop(%key: memref<2100x8xi32>, %length: memref<2100xi32>, %count: memref<8xi32>, %y: memref<2100x8xi32>) {
  %seven = arith.constant 7 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to 2100 {
    %l = affine.load %length[%i] : memref<2100xi32>
    %short = arith.andi %l, %seven : i32
    %n = arith.index_cast %short : i32 to index
    scf.for %j = %c0 to %n step %c1 {
      %k = memref.load %key[%i, %j] : memref<2100x8xi32>
      %low = arith.andi %k, %seven : i32
      %b = arith.index_cast %low : i32 to index
      %p = memref.load %count[%b] : memref<8xi32>
      %next = arith.addi %p, %one : i32
      memref.store %next, %count[%b] : memref<8xi32>
      memref.store %p, %y[%i, %j] : memref<2100x8xi32>
    }
  }
  return
}

// The inner loop cannot be joined, since all its iterations store to one element.
func.func @left_in_a_tied_loop(%key: memref<2100x8xi32>, %count: memref<8xi32>, %y: memref<2100x8xi32>, %z: memref<2100xi32>) {
  %seven = arith.constant 7 : i32
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 2100 {
    affine.for %j = 0 to 8 {
      %k = affine.load %key[%i, %j] : memref<2100x8xi32>
      %low = arith.andi %k, %seven : i32
      %b = arith.index_cast %low : i32 to index
      %p = memref.load %count[%b] : memref<8xi32>
      %next = arith.addi %p, %one : i32
      memref.store %next, %count[%b] : memref<8xi32>
      affine.store %p, %y[%i, %j] : memref<2100x8xi32>
      affine.store %low, %z[%i] : memref<2100xi32>
    }
  }
  return
}

// In a loop, a bound that may be negative keeps the nest from being coalesced.
func.func @left_uncoalesced(%key: memref<?x8xi32>, %count: memref<8xi32>, %y: memref<?x8xi32>, %n: index) {
  %seven = arith.constant 7 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %t = %c0 to %c2 step %c1 {
    affine.for %i = 0 to %n {
      affine.for %j = 0 to 8 {
        %k = affine.load %key[%i, %j] : memref<?x8xi32>
        %low = arith.andi %k, %seven : i32
        %b = arith.index_cast %low : i32 to index
        %p = memref.load %count[%b] : memref<8xi32>
        %next = arith.addi %p, %one : i32
        memref.store %next, %count[%b] : memref<8xi32>
        affine.store %p, %y[%i, %j] : memref<?x8xi32>
      }
    }
  }
  return
}
