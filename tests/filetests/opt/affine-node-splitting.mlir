// test: opt --affine-node-splitting=min-trips=4

// Each element moves by a place: an anti dependence of distance 1.
// test: run-opt --entry=shift --arg=iota
// expect: arg 0 = [2, 4, 6, 8, 10, 12, 14, 7]
func.func @shift(%a: memref<8xi32>) {
  affine.for %i = 0 to 7 {
    %v = affine.load %a[%i + 1] : memref<8xi32>
    %w = arith.addi %v, %v : i32
    affine.store %w, %a[%i] : memref<8xi32>
  }
  return
}

// A row of a knapsack's table, from its end: the loop around is tied by flow dependences, so that the copy stands
// in it. Of an open array the copy has the extent, and the elements that are read.
// test: run-opt --entry=knapsack --arg=3 --arg=zeros[8] --arg=iota
// expect: arg 1 = [0, 0, 2, 2, 3, 3, 3, 3]
func.func @knapsack(%n: index, %row: memref<?xi32>, %worth: memref<3xi32>) {
  %c0 = arith.constant 0 : index
  %size = memref.dim %row, %c0 : memref<?xi32>
  affine.for %i = 0 to %n {
    %v = affine.load %worth[%i] : memref<3xi32>
    affine.for %k = 0 to affine_map<()[s0] -> (s0 - 2)>()[%size] {
      %with = affine.load %row[-%k + symbol(%size) - 3] : memref<?xi32>
      %sum = arith.addi %with, %v : i32
      %without = affine.load %row[-%k + symbol(%size) - 1] : memref<?xi32>
      %best = arith.maxsi %sum, %without : i32
      affine.store %best, %row[-%k + symbol(%size) - 1] : memref<?xi32>
    }
  }
  return
}

// A triangular product in place: rows below the own one are read before they change.
// test: run-opt --entry=triangular --arg=iota --arg=iota
// expect: arg 1 = [448, 473, 498, 523, 548, 573, 598, 623, 464, 487, 510, 533, 556, 579, 602, 625, 352, 367, 382, 397, 412, 427, 442, 457, 24, 25, 26, 27, 28, 29, 30, 31]
func.func @triangular(%a: memref<4x4xi32>, %b: memref<4x8xi32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      affine.for %k = affine_map<(d0) -> (d0 + 1)>(%i) to 4 {
        %x = affine.load %a[%k, %i] : memref<4x4xi32>
        %y = affine.load %b[%k, %j] : memref<4x8xi32>
        %xy = arith.muli %x, %y : i32
        %z = affine.load %b[%i, %j] : memref<4x8xi32>
        %sum = arith.addi %z, %xy : i32
        affine.store %sum, %b[%i, %j] : memref<4x8xi32>
      }
    }
  }
  return
}

// What a condition keeps from running may be out of range: the copy ends with the memref.
// test: run-opt --entry=guarded --arg=iota
// expect: arg 0 = [1, 2, 3, 4, 5, 6, 7, 7]
func.func @guarded(%a: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    affine.if affine_set<(d0) : (6 - d0 >= 0)>(%i) {
      %v = affine.load %a[%i + 1] : memref<8xi32>
      affine.store %v, %a[%i] : memref<8xi32>
    }
  }
  return
}

// An earlier iteration stores what a later one loads.
// test: run-opt --entry=recurrence --arg=iota
// expect: arg 0 = [1, 1, 1, 1, 1, 1, 1, 7]
func.func @recurrence(%a: memref<8xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 7 {
    affine.store %one, %a[%i] : memref<8xi32>
    %v = affine.load %a[0] : memref<8xi32>
    affine.store %v, %a[%i] : memref<8xi32>
  }
  return
}

// The same iteration stores the element, for another iteration to overwrite, before it loads it.
// test: run-opt --entry=stored_before --arg=iota
// expect: arg 0 = [9, 9, 9, 9, 9, 9, 9, 9]
func.func @stored_before(%a: memref<8xi32>) {
  %nine = arith.constant 9 : i32
  affine.for %i = 0 to 7 {
    affine.store %nine, %a[%i + 1] : memref<8xi32>
    %v = affine.load %a[%i + 1] : memref<8xi32>
    affine.store %v, %a[%i] : memref<8xi32>
  }
  return
}

// A memref of this function of which only a part is initialized is not copied.
func.func @fresh(%n: index, %out: memref<8xi32>) {
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  affine.for %i = 0 to %n {
    affine.store %one, %a[%i] : memref<8xi32>
  }
  affine.for %i = 0 to affine_map<()[s0] -> (s0 - 1)>()[%n] {
    %v = affine.load %a[%i + 1] : memref<8xi32>
    affine.store %v, %a[%i] : memref<8xi32>
    affine.store %v, %out[%i] : memref<8xi32>
  }
  memref.dealloc %a : memref<8xi32>
  return
}
