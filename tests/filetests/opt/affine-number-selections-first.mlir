// First and last matches of branches, nests and flags of several types.
// test: opt --affine-number-selections --canonicalize
// test: run-opt --entry=by_branches --arg=iota --arg=iota --arg=3.0
// expect: result 0 = 1
// expect: result 1 = 4
// expect: result 2 = 4.0
// test: run-opt --entry=by_branches --arg=iota --arg=iota --arg=30.0
// expect: result 0 = 0
// expect: result 1 = -1
// expect: result 2 = 0.0
// test: run-opt --entry=of_a_nest --arg=iota --arg=7
// expect: result 0 = 1
// expect: result 1 = 3
// test: run-opt --entry=last_of_a_nest --arg=iota --arg=7
// expect: result 0 = 2
// expect: result 1 = 1
// test: run-opt --entry=of_a_triangle --arg=iota[5x5] --arg=11 --arg=5
// expect: result 0 = 2
// expect: result 1 = 2
// expect: result 2 = 12
// test: run-opt --entry=under_a_further_condition --arg=iota --arg=iota[10] --arg=3.0
// expect: result 0 = 9
// expect: result 1 = 9.0
// test: run-opt --entry=set_on_every_hit --arg=iota --arg=4 --arg=5
// expect: result 0 = 1
// expect: result 1 = -1
// test: run-opt --entry=set_on_every_hit --arg=iota --arg=4 --arg=0
// expect: result 0 = 1
// expect: result 1 = 5
// test: run-opt --entry=left_for_a_second_test --arg=iota --arg=4 --arg=5
// expect: result 0 = 1
// expect: result 1 = 5
// test: run-opt --entry=left_for_a_load --arg=iota --arg=iota[6] --arg=3.0
// expect: result 1 = 4.0
// test: run-opt --entry=of_one_branch --arg=iota --arg=3.0
// expect: result 0 = 8
// expect: result 1 = 9
// test: run-opt --entry=left_for_the_other_side --arg=iota --arg=3.0
// expect: result 0 = 4
// expect: result 1 = 9
// test: run-opt --entry=left_for_a_set_flag_below_zero --arg=iota --arg=3.0
// expect: result 1 = 9
// test: run-opt --entry=left_for_the_least_counter --arg=-9223372036854775808
// expect: result 0 = -9223372036854775808

// if (x[i] > t) { if (!found) { at = i; v = y[i]; } found = 1; }
func.func @by_branches(%x: memref<10xf32>, %y: memref<10xf32>, %t: f32) -> (i32, index, f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant -1 : index
  %zero = arith.constant 0.0 : f32
  %r:3 = affine.for %i = 0 to 10 iter_args(%found = %c0, %at = %none, %v = %zero) -> (i32, index, f32) {
    %a = affine.load %x[%i] : memref<10xf32>
    %hit = arith.cmpf ogt, %a, %t : f32
    %s:3 = scf.if %hit -> (i32, index, f32) {
      %unset = arith.cmpi eq, %found, %c0 : i32
      %q:2 = scf.if %unset -> (index, f32) {
        %b = affine.load %y[%i] : memref<10xf32>
        scf.yield %i, %b : index, f32
      } else {
        scf.yield %at, %v : index, f32
      }
      scf.yield %c1, %q#0, %q#1 : i32, index, f32
    } else {
      scf.yield %found, %at, %v : i32, index, f32
    }
    affine.yield %s#0, %s#1, %s#2 : i32, index, f32
  }
  return %r#0, %r#1, %r#2 : i32, index, f32
}

// Numbers of a nest ascend with its iterations: 4 i + j.
func.func @of_a_nest(%x: memref<3x4xi32>, %key: i32) -> (index, index) {
  %no = arith.constant false
  %yes = arith.constant true
  %none = arith.constant -1 : index
  %r:3 = affine.for %i = 0 to 3 iter_args(%f = %no, %p = %none, %q = %none) -> (i1, index, index) {
    %s:3 = affine.for %j = 0 to 4 iter_args(%g = %f, %u = %p, %v = %q) -> (i1, index, index) {
      %a = affine.load %x[%i, %j] : memref<3x4xi32>
      %hit = arith.cmpi sge, %a, %key : i32
      %unset = arith.xori %g, %yes : i1
      %takes = arith.andi %hit, %unset : i1
      %h = arith.select %takes, %yes, %g : i1
      %l = arith.select %takes, %i, %u : index
      %m = arith.select %takes, %j, %v : index
      affine.yield %h, %l, %m : i1, index, index
    }
    affine.yield %s#0, %s#1, %s#2 : i1, index, index
  }
  return %r#1, %r#2 : index, index
}

// The last one below the key and odd.
func.func @last_of_a_nest(%x: memref<4x3xi32>, %key: i32) -> (index, index) {
  %c1 = arith.constant 1 : i32
  %none = arith.constant -1 : index
  %r:2 = affine.for %i = 0 to 4 iter_args(%p = %none, %q = %none) -> (index, index) {
    %s:2 = affine.for %j = 0 to 3 iter_args(%u = %p, %v = %q) -> (index, index) {
      %a = affine.load %x[%i, %j] : memref<4x3xi32>
      %low = arith.cmpi sle, %a, %key : i32
      %bit = arith.andi %a, %c1 : i32
      %odd = arith.cmpi eq, %bit, %c1 : i32
      %t:2 = scf.if %low -> (index, index) {
        %l = arith.select %odd, %i, %u : index
        %m = arith.select %odd, %j, %v : index
        scf.yield %l, %m : index, index
      } else {
        scf.yield %u, %v : index, index
      }
      affine.yield %t#0, %t#1 : index, index
    }
    affine.yield %s#0, %s#1 : index, index
  }
  return %r#0, %r#1 : index, index
}

// The number of a nest of any size may be too large: a row begins anew, and the rows take the first of theirs.
func.func @of_a_triangle(%x: memref<?x?xi32>, %key: i32, %n: index) -> (index, index, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant -1 : index
  %r:4 = affine.for %i = 0 to %n iter_args(%f = %c0, %p = %none, %q = %none, %w = %c0) -> (i32, index, index, i32) {
    %s:4 = affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) iter_args(%g = %f, %u = %p, %v = %q, %o = %w) -> (i32, index, index, i32) {
      %a = affine.load %x[%i, %j] : memref<?x?xi32>
      %hit = arith.cmpi sgt, %a, %key : i32
      %unset = arith.cmpi ne, %g, %c1 : i32
      %takes = arith.andi %unset, %hit : i1
      %t:4 = scf.if %takes -> (i32, index, index, i32) {
        scf.yield %c1, %i, %j, %a : i32, index, index, i32
      } else {
        scf.yield %g, %u, %v, %o : i32, index, index, i32
      }
      affine.yield %t#0, %t#1, %t#2, %t#3 : i32, index, index, i32
    }
    affine.yield %s#0, %s#1, %s#2, %s#3 : i32, index, index, i32
  }
  return %r#1, %r#2, %r#3 : index, index, i32
}

// The second condition is computed in the branch on the first one, which gives it as well.
func.func @under_a_further_condition(%x: memref<10xf32>, %y: memref<?xf32>, %t: f32) -> (index, f32) {
  %none = arith.constant -1 : index
  %zero = arith.constant 0.0 : f32
  %r:2 = affine.for %i = 0 to 10 iter_args(%at = %none, %v = %zero) -> (index, f32) {
    %a = affine.load %x[%i] : memref<10xf32>
    %hit = arith.cmpf ogt, %a, %t : f32
    %s:2 = scf.if %hit -> (index, f32) {
      %b = affine.load %y[%i] : memref<?xf32>
      %more = arith.cmpf ogt, %b, %t : f32
      %q:2 = scf.if %more -> (index, f32) {
        scf.yield %i, %b : index, f32
      } else {
        scf.yield %at, %v : index, f32
      }
      scf.yield %q#0, %q#1 : index, f32
    } else {
      scf.yield %at, %v : index, f32
    }
    affine.yield %s#0, %s#1 : index, f32
  }
  return %r#0, %r#1 : index, f32
}

// The flag is no member: where it was 5 before, nothing is taken, but a hit sets it.
func.func @set_on_every_hit(%x: memref<10xi32>, %key: i32, %old: i32) -> (i32, index) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant -1 : index
  %r:2 = affine.for %i = 0 to 10 iter_args(%f = %old, %at = %none) -> (i32, index) {
    %a = affine.load %x[%i] : memref<10xi32>
    %hit = arith.cmpi sgt, %a, %key : i32
    %unset = arith.cmpi eq, %f, %c0 : i32
    %takes = arith.andi %unset, %hit : i1
    %g = arith.select %hit, %c1, %f : i32
    %k = arith.select %takes, %i, %at : index
    affine.yield %g, %k : i32, index
  }
  return %r#0, %r#1 : i32, index
}

// Where the second test fails from the beginning, a hit sets the flag, but nothing is taken.
func.func @left_for_a_second_test(%x: memref<10xi32>, %key: i32, %old: i32) -> (i1, i32) {
  %c0 = arith.constant 0 : i32
  %no = arith.constant false
  %yes = arith.constant true
  %r:2 = affine.for %i = 0 to 10 iter_args(%f = %no, %at = %old) -> (i1, i32) {
    %a = affine.load %x[%i] : memref<10xi32>
    %hit = arith.cmpi sgt, %a, %key : i32
    %number = arith.index_cast %i : index to i32
    %unset = arith.xori %f, %yes : i1
    %empty = arith.cmpi slt, %at, %c0 : i32
    %both = arith.andi %unset, %empty : i1
    %takes = arith.andi %both, %hit : i1
    %g = arith.ori %f, %hit : i1
    %k = arith.select %takes, %number, %at : i32
    affine.yield %g, %k : i1, i32
  }
  return %r#0, %r#1 : i1, i32
}

// Only the first hit is known to be in range.
func.func @left_for_a_load(%x: memref<10xf32>, %y: memref<?xf32>, %t: f32) -> (i1, f32) {
  %no = arith.constant false
  %yes = arith.constant true
  %zero = arith.constant 0.0 : f32
  %r:2 = affine.for %i = 0 to 10 iter_args(%f = %no, %v = %zero) -> (i1, f32) {
    %a = affine.load %x[%i] : memref<10xf32>
    %hit = arith.cmpf ogt, %a, %t : f32
    %unset = arith.xori %f, %yes : i1
    %takes = arith.andi %hit, %unset : i1
    %s:2 = scf.if %takes -> (i1, f32) {
      %b = affine.load %y[%i] : memref<?xf32>
      scf.yield %yes, %b : i1, f32
    } else {
      scf.yield %f, %v : i1, f32
    }
    affine.yield %s#0, %s#1 : i1, f32
  }
  return %r#0, %r#1 : i1, f32
}

// Two selections of one branch, under conditions of their own.
func.func @of_one_branch(%x: memref<10xf32>, %t: f32) -> (index, index) {
  %none = arith.constant -1 : index
  %nine = arith.constant 9.0 : f32
  %r:2 = affine.for %i = 0 to 10 iter_args(%p = %none, %q = %none) -> (index, index) {
    %a = affine.load %x[%i] : memref<10xf32>
    %hit = arith.cmpf ogt, %a, %t : f32
    %below = arith.cmpf olt, %a, %nine : f32
    %other = arith.cmpf une, %a, %t : f32
    %s:2 = scf.if %hit -> (index, index) {
      %k = arith.select %below, %i, %p : index
      %l = arith.select %other, %i, %q : index
      scf.yield %k, %l : index, index
    } else {
      scf.yield %p, %q : index, index
    }
    affine.yield %s#0, %s#1 : index, index
  }
  return %r#0, %r#1 : index, index
}

// The branch that takes the first hit takes the last of all others on its other side, the later hits among them.
func.func @left_for_the_other_side(%x: memref<10xf32>, %t: f32) -> (index, index) {
  %c0 = arith.constant 0 : index
  %none = arith.constant -1 : index
  %r:2 = affine.for %i = 0 to 10 iter_args(%first = %none, %last = %none) -> (index, index) {
    %a = affine.load %x[%i] : memref<10xf32>
    %hit = arith.cmpf ogt, %a, %t : f32
    %unset = arith.cmpi slt, %first, %c0 : index
    %takes = arith.andi %hit, %unset : i1
    %s:2 = scf.if %takes -> (index, index) {
      scf.yield %i, %last : index, index
    } else {
      scf.yield %first, %i : index, index
    }
    affine.yield %s#0, %s#1 : index, index
  }
  return %r#0, %r#1 : index, index
}

// As a signed number, true is -1: the flag passes the test when it is set, too.
func.func @left_for_a_set_flag_below_zero(%x: memref<10xf32>, %t: f32) -> (i1, index) {
  %no = arith.constant false
  %yes = arith.constant true
  %none = arith.constant -1 : index
  %r:2 = affine.for %i = 0 to 10 iter_args(%f = %no, %at = %none) -> (i1, index) {
    %a = affine.load %x[%i] : memref<10xf32>
    %hit = arith.cmpf ogt, %a, %t : f32
    %test = arith.cmpi sle, %f, %no : i1
    %takes = arith.andi %hit, %test : i1
    %g = arith.select %takes, %yes, %f : i1
    %k = arith.select %takes, %i, %at : index
    affine.yield %g, %k : i1, index
  }
  return %r#0, %r#1 : i1, index
}

// The least number stands for no iteration among last ones: a counter may not be it.
func.func @left_for_the_least_counter(%t: index) -> index {
  %none = arith.constant 7 : index
  %r = affine.for %i = -9223372036854775808 to -9223372036854775798 iter_args(%at = %none) -> index {
    %hit = arith.cmpi eq, %i, %t : index
    %k = arith.select %hit, %i, %at : index
    affine.yield %k : index
  }
  return %r : index
}
