// test: run --arg=zeros --arg=zeros
// expect: arg 0 = [30, 939, 0, 909, 30, 30, 30, 30, 8, -1, 939, 1]
// expect: arg 1 = [100, 100, 0, 0, 100, 100, 100, 100, nan, 1000, 100, 100]

// a[i] is 37 * i mod 101. 37 * 71 is 1 mod 101, so 100 stands first where i is 71 * 100 mod 101, which is 30, and last at
// 30 + 9 * 101 = 939; 0 stands first at 0 and last at 909. Before a NaN in element 10 the greatest is 94, in element 8.
func.func @main(%k: memref<12xi32>, %v: memref<12xf32>) {
  %a = memref.alloc() : memref<1000xf32>
  %b = memref.alloc() : memref<1000xf32>
  affine.for %i = 0 to 1000 {
    %at = affine.apply affine_map<(d0) -> ((d0 * 37) mod 101)>(%i)
    %int = arith.index_cast %at : index to i32
    %x = arith.sitofp %int : i32 to f32
    affine.store %x, %a[%i] : memref<1000xf32>
    affine.store %x, %b[%i] : memref<1000xf32>
  }
  %nan = arith.constant 0x7FC00000 : f32
  affine.store %nan, %b[10] : memref<1000xf32>
  %least = arith.constant -1.0 : f32
  %most = arith.constant 1000.0 : f32
  %none = arith.constant -1 : index
  %none32 = arith.constant -1 : i32

  // The first of the greatest.
  %r0:2 = affine.for %i = 0 to 1000 iter_args(%m = %least, %p = %none) -> (f32, index) {
    %x = affine.load %a[%i] : memref<1000xf32>
    %c = arith.cmpf ogt, %x, %m : f32
    %y = arith.select %c, %x, %m : f32
    %q = arith.select %c, %i, %p : index
    affine.yield %y, %q : f32, index
  }
  %k0 = arith.index_cast %r0#1 : index to i32
  affine.store %k0, %k[0] : memref<12xi32>
  affine.store %r0#0, %v[0] : memref<12xf32>

  // The last of the greatest.
  %r1:2 = affine.for %i = 0 to 1000 iter_args(%m = %least, %p = %none) -> (f32, index) {
    %x = affine.load %a[%i] : memref<1000xf32>
    %c = arith.cmpf oge, %x, %m : f32
    %y = arith.select %c, %x, %m : f32
    %q = arith.select %c, %i, %p : index
    affine.yield %y, %q : f32, index
  }
  %k1 = arith.index_cast %r1#1 : index to i32
  affine.store %k1, %k[1] : memref<12xi32>
  affine.store %r1#0, %v[1] : memref<12xf32>

  // The first of the least.
  %r2:2 = affine.for %i = 0 to 1000 iter_args(%m = %most, %p = %none32) -> (f32, i32) {
    %x = affine.load %a[%i] : memref<1000xf32>
    %c = arith.cmpf olt, %x, %m : f32
    %at = arith.index_cast %i : index to i32
    %y = arith.select %c, %x, %m : f32
    %q = arith.select %c, %at, %p : i32
    affine.yield %y, %q : f32, i32
  }
  affine.store %r2#1, %k[2] : memref<12xi32>
  affine.store %r2#0, %v[2] : memref<12xf32>

  // The last of the least; the place comes first.
  %r3:2 = affine.for %i = 0 to 1000 iter_args(%p = %none32, %m = %most) -> (i32, f32) {
    %x = affine.load %a[%i] : memref<1000xf32>
    %c = arith.cmpf ole, %x, %m : f32
    %at = arith.index_cast %i : index to i32
    %q = arith.select %c, %at, %p : i32
    %y = arith.select %c, %x, %m : f32
    affine.yield %q, %y : i32, f32
  }
  affine.store %r3#0, %k[3] : memref<12xi32>
  affine.store %r3#1, %v[3] : memref<12xf32>

  // The best so far on the left.
  %r4:2 = affine.for %i = 0 to 1000 iter_args(%m = %least, %p = %none) -> (f32, index) {
    %x = affine.load %a[%i] : memref<1000xf32>
    %c = arith.cmpf olt, %m, %x : f32
    %y = arith.select %c, %x, %m : f32
    %q = arith.select %c, %i, %p : index
    affine.yield %y, %q : f32, index
  }
  %k4 = arith.index_cast %r4#1 : index to i32
  affine.store %k4, %k[4] : memref<12xi32>
  affine.store %r4#0, %v[4] : memref<12xf32>

  // Kept where it is not worse: NaN is not taken.
  %r5:2 = affine.for %i = 0 to 1000 iter_args(%m = %least, %p = %none) -> (f32, index) {
    %x = affine.load %b[%i] : memref<1000xf32>
    %c = arith.cmpf ule, %x, %m : f32
    %y = arith.select %c, %m, %x : f32
    %q = arith.select %c, %p, %i : index
    affine.yield %y, %q : f32, index
  }
  %k5 = arith.index_cast %r5#1 : index to i32
  affine.store %k5, %k[5] : memref<12xi32>
  affine.store %r5#0, %v[5] : memref<12xf32>

  // The extremum by an operation of its own.
  %r6:2 = affine.for %i = 0 to 1000 iter_args(%m = %least, %p = %none) -> (f32, index) {
    %x = affine.load %a[%i] : memref<1000xf32>
    %c = arith.cmpf ogt, %x, %m : f32
    %y = arith.maximumf %x, %m : f32
    %q = arith.select %c, %i, %p : index
    affine.yield %y, %q : f32, index
  }
  %k6 = arith.index_cast %r6#1 : index to i32
  affine.store %k6, %k[6] : memref<12xi32>
  affine.store %r6#0, %v[6] : memref<12xf32>

  // One that drops NaN.
  %r7:2 = affine.for %i = 0 to 1000 iter_args(%m = %least, %p = %none) -> (f32, index) {
    %x = affine.load %b[%i] : memref<1000xf32>
    %c = arith.cmpf ogt, %x, %m : f32
    %y = arith.maxnumf %m, %x : f32
    %q = arith.select %c, %i, %p : index
    affine.yield %y, %q : f32, index
  }
  %k7 = arith.index_cast %r7#1 : index to i32
  affine.store %k7, %k[7] : memref<12xi32>
  affine.store %r7#0, %v[7] : memref<12xf32>

  // One that keeps NaN: nothing is taken behind it.
  %r8:2 = affine.for %i = 0 to 1000 iter_args(%m = %least, %p = %none) -> (f32, index) {
    %x = affine.load %b[%i] : memref<1000xf32>
    %c = arith.cmpf ogt, %x, %m : f32
    %y = arith.maximumf %x, %m : f32
    %q = arith.select %c, %i, %p : index
    affine.yield %y, %q : f32, index
  }
  %k8 = arith.index_cast %r8#1 : index to i32
  affine.store %k8, %k[8] : memref<12xi32>
  affine.store %r8#0, %v[8] : memref<12xf32>

  // Nothing is better than what the loop starts from.
  %r9:2 = affine.for %i = 0 to 1000 iter_args(%m = %most, %p = %none) -> (f32, index) {
    %x = affine.load %a[%i] : memref<1000xf32>
    %c = arith.cmpf oge, %x, %m : f32
    %y = arith.select %c, %x, %m : f32
    %q = arith.select %c, %i, %p : index
    affine.yield %y, %q : f32, index
  }
  %k9 = arith.index_cast %r9#1 : index to i32
  affine.store %k9, %k[9] : memref<12xi32>
  affine.store %r9#0, %v[9] : memref<12xf32>

  // Starts from an element, and counts from above 0.
  %first = affine.load %a[0] : memref<1000xf32>
  %r10:2 = affine.for %i = 5 to 1005 iter_args(%m = %first, %p = %none) -> (f32, index) {
    %x = affine.load %a[%i - 5] : memref<1000xf32>
    %c = arith.cmpf oge, %x, %m : f32
    %y = arith.select %c, %x, %m : f32
    %at = affine.apply affine_map<(d0) -> (d0 - 5)>(%i)
    %q = arith.select %c, %at, %p : index
    affine.yield %y, %q : f32, index
  }
  %k10 = arith.index_cast %r10#1 : index to i32
  affine.store %k10, %k[10] : memref<12xi32>
  affine.store %r10#0, %v[10] : memref<12xf32>

  // Takes along whether the element before is smaller, which 30 says: 63 stands before 100.
  %no = arith.constant 0 : i32
  %r11:2 = affine.for %i = 1 to 1000 iter_args(%m = %least, %p = %no) -> (f32, i32) {
    %x = affine.load %a[%i] : memref<1000xf32>
    %w = affine.load %a[%i - 1] : memref<1000xf32>
    %is = arith.cmpf olt, %w, %x : f32
    %s = arith.extui %is : i1 to i32
    %c = arith.cmpf ogt, %x, %m : f32
    %y = arith.select %c, %x, %m : f32
    %q = arith.select %c, %s, %p : i32
    affine.yield %y, %q : f32, i32
  }
  affine.store %r11#1, %k[11] : memref<12xi32>
  affine.store %r11#0, %v[11] : memref<12xf32>
  memref.dealloc %a : memref<1000xf32>
  memref.dealloc %b : memref<1000xf32>
  return
}
