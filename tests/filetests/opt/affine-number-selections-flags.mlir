// A value that branches of any iterations set to the same becomes a disjunction, a reduction.
// test: opt --affine-number-selections --canonicalize
// test: run-opt --entry=main --arg=iota --arg=zeros --arg=5
// expect: arg 1 = [0, 1, 2, 3, 4, 5, 12, 14, 16]
// expect: result 0 = 7
// expect: result 1 = 3
// expect: result 2 = 9
func.func @main(%a: memref<9xi32>, %b: memref<9xi32>, %key: i32) -> (i32, i32, i32) {
  %one = func.call @branches(%a, %b, %key) : (memref<9xi32>, memref<9xi32>, i32) -> i32
  %two = func.call @nest(%a, %key) : (memref<9xi32>, i32) -> i32
  %three = func.call @two_values(%a, %key) : (memref<9xi32>, i32) -> i32
  return %one, %two, %three : i32, i32, i32
}

// Doubles what is above the key; 7 tells that there was something above 6, which the inner branch finds.
func.func @branches(%a: memref<9xi32>, %b: memref<9xi32>, %key: i32) -> i32 {
  %old = arith.constant 4 : i32
  %seven = arith.constant 7 : i32
  %six = arith.constant 6 : i32
  %r = affine.for %i = 0 to 9 iter_args(%f = %old) -> i32 {
    %x = affine.load %a[%i] : memref<9xi32>
    %above = arith.cmpi sgt, %x, %key : i32
    %y:2 = scf.if %above -> (i32, i32) {
      %z = arith.addi %x, %x : i32
      %high = arith.cmpi sgt, %x, %six : i32
      %g = scf.if %high -> i32 {
        scf.yield %seven : i32
      } else {
        scf.yield %f : i32
      }
      scf.yield %z, %g : i32, i32
    } else {
      scf.yield %x, %f : i32, i32
    }
    affine.store %y#0, %b[%i] : memref<9xi32>
    affine.yield %y#1 : i32
  }
  return %r : i32
}

// One conditional after the other, in a nest: none of 0 to 8 is 9 or -1, so that the value is the one from before.
func.func @nest(%a: memref<9xi32>, %key: i32) -> i32 {
  %old = arith.constant 3 : i32
  %nine = arith.constant 9 : i32
  %less = arith.constant -1 : i32
  %r = affine.for %i = 0 to 3 iter_args(%f = %old) -> i32 {
    %s = affine.for %j = 0 to 3 iter_args(%g = %f) -> i32 {
      %x = affine.load %a[%i * 3 + %j] : memref<9xi32>
      %is_nine = arith.cmpi eq, %x, %nine : i32
      %h = scf.if %is_nine -> i32 {
        scf.yield %key : i32
      } else {
        scf.yield %g : i32
      }
      %is_less = arith.cmpi eq, %x, %less : i32
      %k = scf.if %is_less -> i32 {
        scf.yield %key : i32
      } else {
        scf.yield %h : i32
      }
      affine.yield %k : i32
    }
    affine.yield %s : i32
  }
  return %r : i32
}

// Branches set different values: the last one decides, which is not above the key for 0 to 5, and above for 6 to 8.
func.func @two_values(%a: memref<9xi32>, %key: i32) -> i32 {
  %old = arith.constant 3 : i32
  %eight = arith.constant 8 : i32
  %nine = arith.constant 9 : i32
  %r = affine.for %i = 0 to 9 iter_args(%f = %old) -> i32 {
    %x = affine.load %a[%i] : memref<9xi32>
    %above = arith.cmpi sgt, %x, %key : i32
    %g = scf.if %above -> i32 {
      scf.yield %nine : i32
    } else {
      %is_key = arith.cmpi eq, %x, %key : i32
      %h = scf.if %is_key -> i32 {
        scf.yield %eight : i32
      } else {
        scf.yield %f : i32
      }
      scf.yield %h : i32
    }
    affine.yield %g : i32
  }
  return %r : i32
}

// The iteration looks at the value.
func.func @looks(%a: memref<9xi32>, %b: memref<9xi32>, %key: i32) -> i32 {
  %old = arith.constant 3 : i32
  %r = affine.for %i = 0 to 9 iter_args(%f = %old) -> i32 {
    %x = affine.load %a[%i] : memref<9xi32>
    %above = arith.cmpi sgt, %x, %key : i32
    %g = scf.if %above -> i32 {
      affine.store %f, %b[%i] : memref<9xi32>
      scf.yield %key : i32
    } else {
      scf.yield %f : i32
    }
    affine.yield %g : i32
  }
  return %r : i32
}

// Of another type, by selects in a nest; 9 is in none, 8 in the last element.
// test: run-opt --entry=floats --arg=iota --arg=zeros
// expect: arg 1 = [2.5, 1.5]
func.func @floats(%a: memref<9xi32>, %b: memref<2xf32>) {
  %old = arith.constant 1.5 : f32
  %new = arith.constant 2.5 : f32
  %eight = arith.constant 8 : i32
  %nine = arith.constant 9 : i32
  %r:2 = affine.for %i = 0 to 3 iter_args(%f = %old, %e = %old) -> (f32, f32) {
    %s:2 = affine.for %j = 0 to 3 iter_args(%g = %f, %d = %e) -> (f32, f32) {
      %x = affine.load %a[%i * 3 + %j] : memref<9xi32>
      %is_eight = arith.cmpi eq, %x, %eight : i32
      %is_nine = arith.cmpi eq, %x, %nine : i32
      %h = arith.select %is_eight, %new, %g : f32
      %c = arith.select %is_nine, %new, %d : f32
      affine.yield %h, %c : f32, f32
    }
    affine.yield %s#0, %s#1 : f32, f32
  }
  affine.store %r#0, %b[0] : memref<2xf32>
  affine.store %r#1, %b[1] : memref<2xf32>
  return
}
