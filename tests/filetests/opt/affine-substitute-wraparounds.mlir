// Values that an iteration hands to the next one are computed again from the counter of the former.
//
// test: opt --affine-substitute-wraparounds
// test: run-opt --entry=left_in_rows --arg=iota --arg=zeros
// test: run --entry=left_in_rows --arg=iota --arg=zeros
// expect: arg 1 = [0, 1, 5, 16, 44, 5, 21, 60, 156, 389, 10, 41, 115, 296, 734]
// test: run-opt --entry=first_and_last --arg=random:3 --arg=zeros --arg=9
// expect: result 1 = 0
// test: run-opt --entry=first_and_last --arg=random:3 --arg=zeros --arg=1
// expect: result 0 = 7
// expect: result 1 = 1
// test: run-opt --entry=differences --arg=random:1 --arg=zeros
// test: run-opt --entry=of_two_before --arg=random:2 --arg=zeros
// test: run-opt --entry=left_in_place --arg=random:4
// test: run-opt --entry=left_beside_a_recurrence --arg=random:5 --arg=zeros
// test: run-opt --entry=left_from_anywhere --arg=random:6 --arg=zeros --arg=3 --arg=8

func.func @differences(%a: memref<9xf32>, %b: memref<9xf32>) -> f32 {
  %x_apart, %y_apart = memref.distinct_objects %a, %b : memref<9xf32>, memref<9xf32>
  %first = affine.load %x_apart[0] : memref<9xf32>
  %last = affine.for %i = 1 to 9 iter_args(%p = %first) -> f32 {
    %x = affine.load %x_apart[%i] : memref<9xf32>
    %d = arith.subf %x, %p : f32
    affine.store %d, %y_apart[%i] : memref<9xf32>
    affine.yield %x : f32
  }
  return %last : f32
}

// One is handed on twice.
func.func @of_two_before(%a: memref<9xi32>, %b: memref<9xi32>) {
  %x_apart, %y_apart = memref.distinct_objects %a, %b : memref<9xi32>, memref<9xi32>
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %r:2 = affine.for %i = 0 to 9 iter_args(%p = %two, %q = %three) -> (i32, i32) {
    %x = affine.load %x_apart[%i] : memref<9xi32>
    %d = arith.subi %p, %q : i32
    %e = arith.muli %d, %x : i32
    affine.store %e, %y_apart[%i] : memref<9xi32>
    affine.yield %x, %p : i32, i32
  }
  return
}

// A flag of the first iteration, and the last element, of a loop that may have no iteration.
func.func @first_and_last(%a: memref<9xi32>, %b: memref<9xi32>, %n: index) -> (i32, i1) {
  %x_apart, %y_apart = memref.distinct_objects %a, %b : memref<9xi32>, memref<9xi32>
  %seven = arith.constant 7 : i32
  %yes = arith.constant true
  %no = arith.constant false
  %r:2 = affine.for %i = 1 to %n step 2 iter_args(%p = %seven, %first = %yes) -> (i32, i1) {
    %x = affine.load %x_apart[%i] : memref<9xi32>
    %d = arith.subi %x, %p : i32
    %e = arith.select %first, %x, %d : i32
    affine.store %e, %y_apart[%i] : memref<9xi32>
    affine.yield %x, %no : i32, i1
  }
  return %r#0, %r#1 : i32, i1
}

// The element is written before the next iteration would load it.
func.func @left_in_place(%a: memref<9xf32>) {
  %zero = arith.constant 0.0 : f32
  %last = affine.for %i = 0 to 9 iter_args(%p = %zero) -> f32 {
    %x = affine.load %a[%i] : memref<9xf32>
    %d = arith.subf %x, %p : f32
    affine.store %d, %a[%i] : memref<9xf32>
    affine.yield %x : f32
  }
  return
}

// The other carried value ties the iterations anyway.
func.func @left_beside_a_recurrence(%a: memref<9xf32>, %b: memref<9xf32>) {
  %x_apart, %y_apart = memref.distinct_objects %a, %b : memref<9xf32>, memref<9xf32>
  %zero = arith.constant 0.0 : f32
  %last:2 = affine.for %i = 0 to 9 iter_args(%p = %zero, %s = %zero) -> (f32, f32) {
    %x = affine.load %x_apart[%i] : memref<9xf32>
    %d = arith.addf %x, %p : f32
    %m = arith.mulf %s, %s : f32
    %t = arith.addf %m, %d : f32
    affine.store %t, %y_apart[%i] : memref<9xf32>
    affine.yield %x, %t : f32, f32
  }
  return
}

// The distance to where the loop begins may wrap around.
func.func @left_from_anywhere(%a: memref<9xf32>, %b: memref<9xf32>, %m: index, %n: index) {
  %x_apart, %y_apart = memref.distinct_objects %a, %b : memref<9xf32>, memref<9xf32>
  %zero = arith.constant 0.0 : f32
  %last = affine.for %i = %m to %n iter_args(%p = %zero) -> f32 {
    %x = affine.load %x_apart[%i] : memref<9xf32>
    %d = arith.subf %x, %p : f32
    affine.store %d, %y_apart[%i] : memref<9xf32>
    affine.yield %x : f32
  }
  return
}

// A filter whose output is fed back: the value is a linear function of the one before.
func.func @beside_a_linear_recurrence(%a: memref<9xf32>, %b: memref<9xf32>) {
  %x_apart, %y_apart = memref.distinct_objects %a, %b : memref<9xf32>, memref<9xf32>
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %last:2 = affine.for %i = 0 to 9 iter_args(%p = %zero, %s = %zero) -> (f32, f32) {
    %x = affine.load %x_apart[%i] : memref<9xf32>
    %d = arith.addf %x, %p : f32
    %m = arith.mulf %s, %half : f32
    %t = arith.addf %m, %d : f32
    affine.store %t, %y_apart[%i] : memref<9xf32>
    affine.yield %x, %t : f32, f32
  }
  return
}

// Rows that are filtered: a row is a thread, which keeps the samples before, since no scan of rows takes two values that are fed back.
func.func @left_in_rows(%a: memref<3x5xi32>, %b: memref<3x5xi32>) {
  %x_apart, %y_apart = memref.distinct_objects %a, %b : memref<3x5xi32>, memref<3x5xi32>
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  affine.for %j = 0 to 3 {
    %last:3 = affine.for %i = 0 to 5 iter_args(%p = %zero, %s = %zero, %t = %zero) -> (i32, i32, i32) {
      %x = affine.load %x_apart[%j, %i] : memref<3x5xi32>
      %d = arith.addi %x, %p : i32
      %m = arith.muli %s, %two : i32
      %e = arith.addi %m, %t : i32
      %n = arith.addi %e, %d : i32
      affine.store %n, %y_apart[%j, %i] : memref<3x5xi32>
      affine.yield %x, %n, %s : i32, i32, i32
    }
  }
  return
}
