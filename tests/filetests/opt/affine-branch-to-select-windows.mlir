// Branches that only keep windows within borders become selects, however long; others of their length stay.
// test: opt --affine-mark-inbounds --affine-branch-to-select=target=cpu
// test: run-opt --entry=window --arg=random:1 --arg=zeros
// test: run-opt --entry=halves --arg=random:1 --arg=zeros
// test: run-opt --entry=fixed --arg=random:1 --arg=zeros
// test: run --entry=window --arg=random:1 --arg=zeros
// test: run --entry=halves --arg=random:1 --arg=zeros
// test: run --entry=fixed --arg=random:1 --arg=zeros

// Nearly all places of windows are within the borders.
func.func @window(%x: memref<40xf32>, %y: memref<40xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<40xf32>, memref<40xf32>
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 40 {
    %s = affine.for %k = 0 to 3 iter_args(%a = %zero) -> (f32) {
      %t = affine.if affine_set<(d0, d1) : (d0 + d1 - 1 >= 0, 40 - d0 - d1 >= 0)>(%i, %k) -> f32 {
        %v = affine.load %0#0[%i + %k - 1] : memref<40xf32>
        %e = math.exp %v : f32
        %b = arith.addf %a, %e : f32
        affine.yield %b : f32
      } else {
        affine.yield %a : f32
      }
      affine.yield %t : f32
    }
    affine.store %s, %0#1[%i] : memref<40xf32>
  }
  return
}

// A bound that no window moves with: half of the iterations skip the arm.
func.func @halves(%x: memref<40xf32>, %y: memref<40xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<40xf32>, memref<40xf32>
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 40 {
    %s = affine.for %k = 0 to 3 iter_args(%a = %zero) -> (f32) {
      %t = affine.if affine_set<(d0, d1) : (d0 - 20 >= 0, 40 - d0 - d1 >= 0)>(%i, %k) -> f32 {
        %v = affine.load %0#0[%i + %k - 1] : memref<40xf32>
        %e = math.exp %v : f32
        %b = arith.addf %a, %e : f32
        affine.yield %b : f32
      } else {
        affine.yield %a : f32
      }
      affine.yield %t : f32
    }
    affine.store %s, %0#1[%i] : memref<40xf32>
  }
  return
}

// The other arm computes as well.
func.func @fixed(%x: memref<40xf32>, %y: memref<40xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<40xf32>, memref<40xf32>
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  affine.for %i = 0 to 40 {
    %s = affine.for %k = 0 to 3 iter_args(%a = %zero) -> (f32) {
      %t = affine.if affine_set<(d0, d1) : (d0 + d1 - 1 >= 0, 40 - d0 - d1 >= 0)>(%i, %k) -> f32 {
        %v = affine.load %0#0[%i + %k - 1] : memref<40xf32>
        %e = math.exp %v : f32
        %b = arith.addf %a, %e : f32
        affine.yield %b : f32
      } else {
        %b = arith.addf %a, %one : f32
        affine.yield %b : f32
      }
      affine.yield %t : f32
    }
    affine.store %s, %0#1[%i] : memref<40xf32>
  }
  return
}
