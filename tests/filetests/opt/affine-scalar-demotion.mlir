// test: opt --affine-scalar-demotion
// test: run-opt --entry=in_place --arg=random:1
// test: run-opt --entry=substitution --arg=random:1 --arg=random:1 --arg=random:1
// test: run-opt --entry=left_alone --arg=random:1 --arg=random:1 --arg=random:1

// Rows and columns of %a tie both loops: what is right of the diagonal in a row
// is used by the rows below. The sum starts from the element that
// it is stored in, so neither the first store nor the last one is left.
func.func @in_place(%a: memref<40x40xf32>) {
  %t = memref.alloca() : memref<f32>
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 40 {
      %x = affine.load %a[%i, %j] : memref<40x40xf32>
      affine.store %x, %t[] : memref<f32>
      affine.for %k = 0 to min affine_map<(d0, d1) -> (d0, d1)>(%i, %j) {
        %s = affine.load %t[] : memref<f32>
        %l = affine.load %a[%i, %k] : memref<40x40xf32>
        %r = affine.load %a[%k, %j] : memref<40x40xf32>
        %p = arith.mulf %l, %r : f32
        %u = arith.subf %s, %p : f32
        affine.store %u, %t[] : memref<f32>
      }
      %y = affine.load %t[] : memref<f32>
      affine.store %y, %a[%i, %j] : memref<40x40xf32>
    }
  }
  return
}

// The sum starts elsewhere and is divided in the end: both stores stay.
func.func @substitution(%a: memref<40x40xf32>, %b: memref<40xf32>, %x: memref<40xf32>) {
  %x_apart, %a_apart = memref.distinct_objects %x, %a : memref<40xf32>, memref<40x40xf32>
  %t = memref.alloca() : memref<1xf32>
  affine.for %i = 0 to 40 {
    %c = affine.load %b[%i] : memref<40xf32>
    affine.store %c, %t[0] : memref<1xf32>
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %s = affine.load %t[0] : memref<1xf32>
      %l = affine.load %a_apart[%i, %j] : memref<40x40xf32>
      %r = affine.load %x_apart[%j] : memref<40xf32>
      %p = arith.mulf %l, %r : f32
      %u = arith.subf %s, %p : f32
      affine.store %u, %t[0] : memref<1xf32>
    }
    %y = affine.load %t[0] : memref<1xf32>
    %d = affine.load %a_apart[%i, %i] : memref<40x40xf32>
    %q = arith.divf %y, %d : f32
    affine.store %q, %x_apart[%i] : memref<40xf32>
  }
  return
}

// Left alone: the element is read while the sum is collected (its old value
// counts), one that a counter does not tell apart, and a sum that is seen by
// the next iteration.
func.func @left_alone(%a: memref<40xf32>, %b: memref<40x40xf32>, %c: memref<f32>) {
  %t = memref.alloca() : memref<f32>
  %u = memref.alloca() : memref<f32>
  %v = memref.alloca() : memref<f32>
  %zero = arith.constant 0.0 : f32
  affine.for %i = 1 to 40 {
    affine.store %zero, %t[] : memref<f32>
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %s = affine.load %t[] : memref<f32>
      %l = affine.load %a[%j] : memref<40xf32>
      %w = arith.addf %s, %l : f32
      affine.store %w, %t[] : memref<f32>
    }
    %y = affine.load %t[] : memref<f32>
    affine.store %y, %a[%i] : memref<40xf32>
  }
  affine.for %i = 1 to 40 {
    affine.store %zero, %u[] : memref<f32>
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %s = affine.load %u[] : memref<f32>
      %l = affine.load %a[%j] : memref<40xf32>
      %w = arith.addf %s, %l : f32
      affine.store %w, %u[] : memref<f32>
    }
    %y = affine.load %u[] : memref<f32>
    affine.store %y, %c[] : memref<f32>
  }
  affine.store %zero, %v[] : memref<f32>
  affine.for %i = 1 to 40 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %s = affine.load %v[] : memref<f32>
      %l = affine.load %a[%j] : memref<40xf32>
      %w = arith.addf %s, %l : f32
      affine.store %w, %v[] : memref<f32>
    }
    %y = affine.load %v[] : memref<f32>
    affine.store %y, %a[%i] : memref<40xf32>
  }
  return
}
