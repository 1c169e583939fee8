// Reductions over windows that borders clip have all iterations of the window, with a test in the body.
// test: opt --affine-window-hull=target=cpu
// test: run-opt --entry=row --arg=iota[5] --arg=zeros[5]
// test: run --entry=row --arg=iota[5] --arg=zeros[5]
// expect: arg 1 = [1, 3, 6, 9, 7]
// test: run --entry=weights --arg=iota --arg=iota --arg=zeros
// expect: arg 2 = [2, 5, 8, 11, 14, 5]
// The other ones, as the program says:
// test: run-opt --entry=row --arg=iota[1] --arg=zeros[1]
// test: run-opt --entry=row --arg=iota[0] --arg=zeros[0]
// test: run-opt --entry=box --arg=random:1[7x9] --arg=zeros[7x9]
// test: run-opt --entry=box --arg=random:1[1x2] --arg=zeros[1x2]
// test: run-opt --entry=weights --arg=iota --arg=iota --arg=zeros
// test: run-opt --entry=weighted_rows --arg=random:1 --arg=random:2 --arg=zeros
// test: run-opt --entry=greatest --arg=random:1 --arg=zeros
// test: run-opt --entry=channels --arg=random:1 --arg=zeros
// test: run --entry=row --arg=iota[0] --arg=zeros[0]
// test: run --entry=box --arg=random:1[7x9] --arg=zeros[7x9]
// test: run --entry=box --arg=random:1[1x2] --arg=zeros[1x2]
// test: run --entry=weighted_rows --arg=random:1 --arg=random:2 --arg=zeros
// test: run --entry=greatest --arg=random:1 --arg=zeros
// test: run --entry=channels --arg=random:1 --arg=zeros

// Sums of three neighbours.
func.func @row(%x: memref<?xi32>, %y: memref<?xi32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<?xi32>, memref<?xi32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %n = memref.dim %x, %c0 : memref<?xi32>
  affine.for %i = 0 to %n {
    %s = affine.for %k = max affine_map<(d0) -> (0, d0 - 1)>(%i) to min affine_map<(d0)[s0] -> (s0, d0 + 2)>(%i)[%n] iter_args(%a = %zero) -> (i32) {
      %v = affine.load %0#0[%k] : memref<?xi32>
      %b = arith.addi %a, %v : i32
      affine.yield %b : i32
    }
    affine.store %s, %0#1[%i] : memref<?xi32>
  }
  return
}

// Averages of windows of 5 by 5, whose innermost loop tests for both.
func.func @box(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<?x?xf32>, memref<?x?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %h = memref.dim %y, %c0 : memref<?x?xf32>
  %w = memref.dim %y, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %h {
    affine.for %j = 0 to %w {
      %r:2 = affine.for %p = max affine_map<(d0) -> (0, d0 - 2)>(%i) to min affine_map<(d0)[s0] -> (s0, d0 + 3)>(%i)[%h] iter_args(%a = %zero, %b = %zero) -> (f32, f32) {
        %t:2 = affine.for %q = max affine_map<(d0) -> (0, d0 - 2)>(%j) to min affine_map<(d0)[s0] -> (s0, d0 + 3)>(%j)[%w] iter_args(%c = %a, %d = %b) -> (f32, f32) {
          %v = affine.load %0#0[%p, %q] : memref<?x?xf32>
          %e = arith.addf %c, %v : f32
          %f = arith.addf %d, %one : f32
          affine.yield %e, %f : f32, f32
        }
        affine.yield %t#0, %t#1 : f32, f32
      }
      %m = arith.divf %r#0, %r#1 : f32
      affine.store %m, %0#1[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// The place in the window as the counter: a filter [0, 1, 2] with zero padding.
func.func @weights(%x: memref<6xi32>, %w: memref<3xi32>, %y: memref<6xi32>) {
  %0:3 = memref.distinct_objects %x, %w, %y : memref<6xi32>, memref<3xi32>, memref<6xi32>
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 6 {
    %s = affine.for %k = max affine_map<(d0) -> (0, -d0 + 1)>(%i) to min affine_map<(d0) -> (3, -d0 + 7)>(%i) iter_args(%a = %zero) -> (i32) {
      %v = affine.load %0#0[%i + %k - 1] : memref<6xi32>
      %u = affine.load %0#1[%k] : memref<3xi32>
      %m = arith.muli %v, %u : i32
      %b = arith.addi %a, %m : i32
      affine.yield %b : i32
    }
    affine.store %s, %0#2[%i] : memref<6xi32>
  }
  return
}

// A load between the loops may leave its array beyond the border: only the inner window is whole.
func.func @weighted_rows(%x: memref<6x7xf32>, %w: memref<6xf32>, %y: memref<6x7xf32>) {
  %0:3 = memref.distinct_objects %x, %w, %y : memref<6x7xf32>, memref<6xf32>, memref<6x7xf32>
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 7 {
      %r = affine.for %p = max affine_map<(d0) -> (0, d0 - 1)>(%i) to min affine_map<(d0) -> (6, d0 + 2)>(%i) iter_args(%a = %zero) -> (f32) {
        %g = affine.load %0#1[%p] : memref<6xf32>
        %t = affine.for %q = max affine_map<(d0) -> (0, d0 - 1)>(%j) to min affine_map<(d0) -> (7, d0 + 2)>(%j) iter_args(%c = %a) -> (f32) {
          %v = affine.load %0#0[%p, %q] : memref<6x7xf32>
          %m = arith.mulf %v, %g : f32
          %e = arith.addf %c, %m : f32
          affine.yield %e : f32
        }
        affine.yield %t : f32
      }
      affine.store %r, %0#2[%i, %j] : memref<6x7xf32>
    }
  }
  return
}

// An extremum, clipped on one side alone.
func.func @greatest(%x: memref<9xf32>, %y: memref<9xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<9xf32>, memref<9xf32>
  %low = arith.constant 0xFF800000 : f32
  affine.for %i = 0 to 9 {
    %s = affine.for %k = affine_map<(d0) -> (d0)>(%i) to min affine_map<(d0) -> (d0 + 4, 9)>(%i) iter_args(%a = %low) -> (f32) {
      %v = affine.load %0#0[%k] : memref<9xf32>
      %b = arith.maximumf %a, %v : f32
      affine.yield %b : f32
    }
    affine.store %s, %0#1[%i] : memref<9xf32>
  }
  return
}

// Further loops inside of the window: the innermost one tests.
func.func @channels(%x: memref<9x12xf32>, %y: memref<9xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<9x12xf32>, memref<9xf32>
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 9 {
    %s = affine.for %k = max affine_map<(d0) -> (0, d0 - 1)>(%i) to min affine_map<(d0) -> (d0 + 2, 9)>(%i) iter_args(%a = %zero) -> (f32) {
      %t = affine.for %c = 0 to 12 iter_args(%d = %a) -> (f32) {
        %v = affine.load %0#0[%k, %c] : memref<9x12xf32>
        %b = arith.addf %d, %v : f32
        affine.yield %b : f32
      }
      affine.yield %t : f32
    }
    affine.store %s, %0#1[%i] : memref<9xf32>
  }
  return
}
