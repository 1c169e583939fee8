// Forces between pairs, each computed once and added to one body, subtracted from the other. The values are sums over pairs
// in Python.
//
// test: run --entry=products --arg=40 --arg=iota[40] --arg=zeros[40]
// expect: arg 2 = [0, 779, 1552, 2313, 3056, 3775, 4464, 5117, 5728, 6291, 6800, 7249, 7632, 7943, 8176, 8325, 8384, 8347, 8208, 7961, 7600, 7119, 6512, 5773, 4896, 3875, 2704, 1377, -112, -1769, -3600, -5611, -7808, -10197, -12784, -15575, -18576, -21793, -25232, -28899]
// test: run --entry=products --arg=0 --arg=iota[40] --arg=ones[40]
// expect: arg 2 = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
func.func @products(%n: index, %x: memref<?xf32>, %f: memref<?xf32>) {
  affine.for %i = 0 to %n {
    affine.for %j = affine_map<(d0) -> (d0 + 1)>(%i) to %n {
      %a = affine.load %x[%i] : memref<?xf32>
      %b = affine.load %x[%j] : memref<?xf32>
      %g = arith.mulf %a, %b : f32
      %fi = affine.load %f[%i] : memref<?xf32>
      %more = arith.addf %fi, %g : f32
      affine.store %more, %f[%i] : memref<?xf32>
      %fj = affine.load %f[%j] : memref<?xf32>
      %less = arith.subf %fj, %g : f32
      affine.store %less, %f[%j] : memref<?xf32>
    }
  }
  return
}

// The same over the lower triangle: what is added to a body comes before what is subtracted from it.
// test: run --entry=lower --arg=iota --arg=zeros
// expect: arg 1 = [0, -779, -1552, -2313, -3056, -3775, -4464, -5117, -5728, -6291, -6800, -7249, -7632, -7943, -8176, -8325, -8384, -8347, -8208, -7961, -7600, -7119, -6512, -5773, -4896, -3875, -2704, -1377, 112, 1769, 3600, 5611, 7808, 10197, 12784, 15575, 18576, 21793, 25232, 28899]
func.func @lower(%x: memref<40xf32>, %f: memref<40xf32>) {
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %a = affine.load %x[%i] : memref<40xf32>
      %b = affine.load %x[%j] : memref<40xf32>
      %g = arith.mulf %a, %b : f32
      %fi = affine.load %f[%i] : memref<40xf32>
      %more = arith.addf %fi, %g : f32
      affine.store %more, %f[%i] : memref<40xf32>
      %fj = affine.load %f[%j] : memref<40xf32>
      %less = arith.subf %fj, %g : f32
      affine.store %less, %f[%j] : memref<40xf32>
    }
  }
  return
}

// Only pairs within a distance.
// test: run --entry=near --arg=iota --arg=zeros
// expect: arg 1 = [0, 9, 22, 36, 48, 60, 72, 84, 96, 108, 120, 132, 144, 156, 168, 180, 192, 204, 216, 228, 240, 252, 264, 276, 288, 300, 312, 324, 336, 348, 360, 372, 384, 396, 408, 420, 432, -1036, -2622, -4329]
func.func @near(%x: memref<40xf32>, %f: memref<40xf32>) {
  %cutoff = arith.constant 10.0 : f32
  affine.for %i = 0 to 40 {
    affine.for %j = affine_map<(d0) -> (d0 + 1)>(%i) to 40 {
      %a = affine.load %x[%i] : memref<40xf32>
      %b = affine.load %x[%j] : memref<40xf32>
      %d = arith.subf %a, %b : f32
      %q = arith.mulf %d, %d : f32
      %is_near = arith.cmpf olt, %q, %cutoff : f32
      scf.if %is_near {
        %g = arith.mulf %a, %b : f32
        %fi = affine.load %f[%i] : memref<40xf32>
        %more = arith.addf %fi, %g : f32
        affine.store %more, %f[%i] : memref<40xf32>
        %fj = affine.load %f[%j] : memref<40xf32>
        %less = arith.subf %fj, %g : f32
        affine.store %less, %f[%j] : memref<40xf32>
      }
    }
  }
  return
}

// Of each pair the greater one counts; of a permutation, each element's rank is itself.
// test: run --entry=ranks --arg=iota --arg=zeros
// expect: arg 1 = [0, 17, 34, 11, 28, 5, 22, 39, 16, 33, 10, 27, 4, 21, 38, 15, 32, 9, 26, 3, 20, 37, 14, 31, 8, 25, 2, 19, 36, 13, 30, 7, 24, 1, 18, 35, 12, 29, 6, 23]
func.func @ranks(%in: memref<40xi32>, %count: memref<40xi32>) {
  %one = arith.constant 1 : i32
  %factor = arith.constant 17 : i32
  %all = arith.constant 40 : i32
  %x = memref.alloc() : memref<40xi32>
  affine.for %i = 0 to 40 {
    %v = affine.load %in[%i] : memref<40xi32>
    %w = arith.muli %v, %factor : i32
    %r = arith.remsi %w, %all : i32
    affine.store %r, %x[%i] : memref<40xi32>
  }
  affine.for %i = 0 to 40 {
    affine.for %j = affine_map<(d0) -> (d0 + 1)>(%i) to 40 {
      %a = affine.load %x[%i] : memref<40xi32>
      %b = affine.load %x[%j] : memref<40xi32>
      %is_greater = arith.cmpi sgt, %a, %b : i32
      scf.if %is_greater {
        %c = affine.load %count[%i] : memref<40xi32>
        %d = arith.addi %c, %one : i32
        affine.store %d, %count[%i] : memref<40xi32>
      } else {
        %c = affine.load %count[%j] : memref<40xi32>
        %d = arith.addi %c, %one : i32
        affine.store %d, %count[%j] : memref<40xi32>
      }
    }
  }
  memref.dealloc %x : memref<40xi32>
  return
}

// Two components, of which the row's are sums that the inner loop carries.
// test: run --entry=components --arg=iota --arg=zeros
// expect: arg 1 = [0, 1599, 3116, 4785, 6208, 7935, 9252, 11025, 12224, 14031, 15100, 16929, 17856, 19695, 20468, 22305, 22912, 24735, 25164, 26961, 27200, 28959, 28996, 30705, 30528, 32175, 31772, 33345, 32704, 34191, 33300, 34689, 33536, 34815, 33388, 34545, 32832, 33855, 31844, 32721, 30400, 31119, 28476, 29025, 26048, 26415, 23092, 23265, 19584, 19551, 15500, 15249, 10816, 10335, 5508, 4785, -448, -1425, -7076, -8319, -14400, -15921, -22444, -24255, -31232, -33345, -40788, -43215, -51136, -53889, -62300, -65391, -74304, -77745, -87172, -90975, -100928, -105105, -115596, -120159]
func.func @components(%x: memref<40x2xf32>, %f: memref<40x2xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 40 {
    %a0 = affine.load %x[%i, 0] : memref<40x2xf32>
    %a1 = affine.load %x[%i, 1] : memref<40x2xf32>
    %sums:2 = affine.for %j = affine_map<(d0) -> (d0 + 1)>(%i) to 40 iter_args(%s0 = %zero, %s1 = %zero) -> (f32, f32) {
      %b0 = affine.load %x[%j, 0] : memref<40x2xf32>
      %b1 = affine.load %x[%j, 1] : memref<40x2xf32>
      %g0 = arith.mulf %a0, %b0 : f32
      %g1 = arith.mulf %a1, %b1 : f32
      %t0 = arith.addf %s0, %g0 : f32
      %t1 = arith.addf %s1, %g1 : f32
      %f0 = affine.load %f[%j, 0] : memref<40x2xf32>
      %f1 = affine.load %f[%j, 1] : memref<40x2xf32>
      %less0 = arith.subf %f0, %g0 : f32
      %less1 = arith.subf %f1, %g1 : f32
      affine.store %less0, %f[%j, 0] : memref<40x2xf32>
      affine.store %less1, %f[%j, 1] : memref<40x2xf32>
      affine.yield %t0, %t1 : f32, f32
    }
    %f0 = affine.load %f[%i, 0] : memref<40x2xf32>
    %f1 = affine.load %f[%i, 1] : memref<40x2xf32>
    %more0 = arith.addf %f0, %sums#0 : f32
    %more1 = arith.addf %f1, %sums#1 : f32
    affine.store %more0, %f[%i, 0] : memref<40x2xf32>
    affine.store %more1, %f[%i, 1] : memref<40x2xf32>
  }
  return
}
