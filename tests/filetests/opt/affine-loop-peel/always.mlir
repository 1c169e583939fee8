// test: opt --affine-loop-peel=always
// test: run-opt --entry=carried --arg=random:1
// test: run-opt --entry=carried_open --arg=random:1[6]
// test: run-opt --entry=carried_open --arg=random:1[2]
// test: run-opt --entry=carried_open --arg=random:1[1]
// test: run-opt --entry=carried_open --arg=random:1[0]
// test: run-opt --entry=left_at_both_ends --arg=random:1 --arg=zeros
// test: run-opt --entry=any_of_two --arg=random:1
// test: run-opt --entry=below_zero --arg=random:1 --arg=zeros
// test: run-opt --entry=left_in_the_middle --arg=random:1
// test: run-opt --entry=left_by_wrapping --arg=random:1

// Both parts carry the values on.
func.func @carried(%a: memref<8xi32>) -> (i32, i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c6 = arith.constant 6 : index
  %s, %t = affine.for %i = 0 to 8 step 3 iter_args(%p = %zero, %q = %one) -> (i32, i32) {
    %v = affine.load %a[%i] : memref<8xi32>
    %is_last = arith.cmpi sle, %c6, %i : index
    %x = arith.select %is_last, %p, %v : i32
    %y = arith.addi %x, %q : i32
    affine.yield %y, %p : i32, i32
  }
  return %s, %t : i32, i32
}

func.func @carried_open(%a: memref<?xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  %s = affine.for %i = 0 to %n step 2 iter_args(%p = %zero) -> i32 {
    %v = affine.load %a[%i] : memref<?xi32>
    %x = affine.if affine_set<(d) : (d - 1 >= 0)>(%i) -> i32 {
      %w = affine.load %a[%i - 1] : memref<?xi32>
      %d = arith.subi %v, %w : i32
      affine.yield %d : i32
    } else {
      affine.yield %v : i32
    }
    %y = arith.addi %p, %x : i32
    affine.yield %y : i32
  }
  return %s : i32
}

// Neither end decides the whole condition.
func.func @left_at_both_ends(%a: memref<8xi32>, %b: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    %v = affine.load %a[%i] : memref<8xi32>
    affine.if affine_set<(d) : (d - 1 >= 0, 6 - d >= 0)>(%i) {
      %l = affine.load %a[%i - 1] : memref<8xi32>
      %r = affine.load %a[%i + 1] : memref<8xi32>
      %m = arith.addi %l, %r : i32
      affine.store %m, %b[%i] : memref<8xi32>
    } else {
      affine.store %v, %b[%i] : memref<8xi32>
    }
  }
  return
}

// A disjunction of conditions on both counters.
func.func @any_of_two(%s: memref<4x5xi32>) {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 5 {
      %is_top = arith.cmpi eq, %i, %c0 : index
      %is_left = arith.cmpi eq, %j, %c0 : index
      %is_border = arith.ori %is_top, %is_left : i1
      scf.if %is_border {
        affine.store %zero, %s[%i, %j] : memref<4x5xi32>
      } else {
        %u = affine.load %s[%i - 1, %j - 1] : memref<4x5xi32>
        affine.store %u, %s[%i, %j] : memref<4x5xi32>
      }
    }
  }
  return
}

func.func @below_zero(%a: memref<8xi32>, %b: memref<8xi32>) {
  %cm3 = arith.constant -3 : index
  affine.for %i = -3 to 5 {
    %v = affine.load %a[%i + 3] : memref<8xi32>
    %w = affine.load %a[-%i + 4] : memref<8xi32>
    %is_rest = arith.cmpi sgt, %i, %cm3 : index
    %x = arith.select %is_rest, %v, %w : i32
    affine.store %x, %b[%i + 3] : memref<8xi32>
  }
  return
}

// No end is singled out, and as unsigned numbers, the first ones are the greatest.
func.func @left_in_the_middle(%a: memref<8xi32>) {
  %zero = arith.constant 0 : i32
  %c2 = arith.constant 2 : index
  affine.for %i = -2 to 6 {
    affine.if affine_set<(d) : (d - 3 == 0)>(%i) {
      affine.store %zero, %a[%i + 2] : memref<8xi32>
    }
    %is_low = arith.cmpi ult, %i, %c2 : index
    scf.if %is_low {
      affine.store %zero, %a[%i + 2] : memref<8xi32>
    }
  }
  return
}

// The product may leave 64 bits.
func.func @left_by_wrapping(%a: memref<8xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 8 {
    affine.if affine_set<(d) : (d * 4611686018427387904 == 0)>(%i) {
      affine.store %zero, %a[%i] : memref<8xi32>
    }
  }
  return
}
