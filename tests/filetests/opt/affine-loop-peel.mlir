// test: opt --affine-loop-peel
// test: run-opt --entry=rows_before --arg=random:1 --arg=random:2
// test: run-opt --entry=one_that_stores_elsewhere --arg=random:1 --arg=random:2
// test: run-opt --entry=last_one --arg=random:1 --arg=random:2
// test: run-opt --entry=open --arg=random:1[5] --arg=random:2[9]
// test: run-opt --entry=open --arg=random:1[1] --arg=random:2[9]
// test: run-opt --entry=open --arg=random:1[0] --arg=random:2[9]
// test: run-opt --entry=sums_of_both_ways --arg=random:1 --arg=random:2
// test: run-opt --entry=left_as_wavefront --arg=random:1 --arg=random:2
// test: run-opt --entry=left_where_only_the_first_is_free --arg=random:1[5] --arg=random:2[9]
// test: run-opt --entry=left_where_a_loop_is_parallel --arg=random:1 --arg=random:2

// A row adds the one before, but for the first row. The rest is a nest of prefix sums.
func.func @rows_before(%a: memref<8x9xi32>, %s: memref<8x9xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 9 iter_args(%r = %zero) -> i32 {
      %v = affine.load %a[%i, %j] : memref<8x9xi32>
      %w = arith.addi %r, %v : i32
      %x = affine.if affine_set<(d) : (d == 0)>(%i) -> i32 {
        affine.yield %w : i32
      } else {
        %u = affine.load %s[%i - 1, %j] : memref<8x9xi32>
        %y = arith.addi %u, %w : i32
        affine.yield %y : i32
      }
      affine.store %x, %s[%i, %j] : memref<8x9xi32>
      affine.yield %w : i32
    }
  }
  return
}

// Conditions on both counters, and a conjunction of them. The rest is a nest of prefix sums, with a column in front.
func.func @sums_of_both_ways(%a: memref<8x9xi32>, %s: memref<8x9xi32>) {
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 9 {
      %v = affine.load %a[%i, %j] : memref<8x9xi32>
      %is_below = arith.cmpi sgt, %i, %c0 : index
      %is_right = arith.cmpi ne, %j, %c0 : index
      %l = scf.if %is_right -> i32 {
        %x = affine.load %s[%i, %j - 1] : memref<8x9xi32>
        %y = arith.addi %x, %v : i32
        scf.yield %y : i32
      } else {
        scf.yield %v : i32
      }
      %u = scf.if %is_below -> i32 {
        %x = affine.load %s[%i - 1, %j] : memref<8x9xi32>
        %y = arith.addi %x, %l : i32
        scf.yield %y : i32
      } else {
        scf.yield %l : i32
      }
      %is_inside = arith.andi %is_below, %is_right : i1
      %d = scf.if %is_inside -> i32 {
        %x = affine.load %s[%i - 1, %j - 1] : memref<8x9xi32>
        %y = arith.subi %u, %x : i32
        scf.yield %y : i32
      } else {
        scf.yield %u : i32
      }
      affine.store %d, %s[%i, %j] : memref<8x9xi32>
    }
  }
  return
}

// The first iteration stores what the sixth stores again: the others are independent.
func.func @one_that_stores_elsewhere(%a: memref<8xi32>, %b: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to 8 {
    %v = affine.load %a[%i] : memref<8xi32>
    %is_first = arith.cmpi slt, %i, %c1 : index
    scf.if %is_first {
      affine.store %v, %b[5] : memref<8xi32>
    } else {
      affine.store %v, %b[%i] : memref<8xi32>
    }
  }
  return
}

// The last one reads what the first one has stored.
func.func @last_one(%a: memref<8xi32>, %b: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    %v = affine.load %a[%i] : memref<8xi32>
    affine.if affine_set<(d) : (d - 7 >= 0)>(%i) {
      %w = affine.load %b[0] : memref<8xi32>
      affine.store %w, %b[7] : memref<8xi32>
    } else {
      affine.store %v, %b[%i] : memref<8xi32>
    }
  }
  return
}

// An iteration that may not run is a loop of at most one.
func.func @open(%a: memref<?xi32>, %b: memref<9xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  affine.for %i = 0 to %n {
    %v = affine.load %a[%i] : memref<?xi32>
    affine.if affine_set<(d) : (d == 0)>(%i) {
      affine.store %v, %b[3] : memref<9xi32>
    } else {
      affine.store %v, %b[%i] : memref<9xi32>
    }
  }
  return
}

// A table whose borders are in the nest: it runs as a wavefront as it is.
func.func @left_as_wavefront(%a: memref<8x9xi32>, %s: memref<8x9xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 9 {
      %x = affine.if affine_set<(d) : (d == 0)>(%i) -> i32 {
        affine.yield %zero : i32
      } else {
        %y = affine.if affine_set<(d) : (d == 0)>(%j) -> i32 {
          affine.yield %zero : i32
        } else {
          %v = affine.load %a[%i, %j] : memref<8x9xi32>
          %u = affine.load %s[%i - 1, %j] : memref<8x9xi32>
          %l = affine.load %s[%i, %j - 1] : memref<8x9xi32>
          %m = arith.maxsi %u, %l : i32
          %w = arith.addi %m, %v : i32
          affine.yield %w : i32
        }
        affine.yield %y : i32
      }
      affine.store %x, %s[%i, %j] : memref<8x9xi32>
    }
  }
  return
}

// The columns are independent already.
func.func @left_where_a_loop_is_parallel(%a: memref<8x9xi32>, %s: memref<8x9xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 9 {
      %v = affine.load %a[%i, %j] : memref<8x9xi32>
      affine.if affine_set<(d) : (d == 0)>(%i) {
        affine.store %v, %s[%i, %j] : memref<8x9xi32>
      } else {
        %u = affine.load %s[%i - 1, %j] : memref<8x9xi32>
        %w = arith.addi %u, %v : i32
        affine.store %w, %s[%i, %j] : memref<8x9xi32>
      }
    }
  }
  return
}

// The first iteration by itself is free, as every single one is. The others are not.
func.func @left_where_only_the_first_is_free(%a: memref<?xi32>, %b: memref<9xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to %n {
      %v = affine.load %a[%j] : memref<?xi32>
      affine.if affine_set<(d) : (d == 0)>(%j) {
        affine.store %v, %b[%i] : memref<9xi32>
      } else {
        %w = affine.load %b[%j - 1] : memref<9xi32>
        %x = arith.xori %v, %w : i32
        affine.store %x, %b[%j] : memref<9xi32>
      }
    }
  }
  return
}
