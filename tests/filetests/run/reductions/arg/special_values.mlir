// test: run --arg=zeros --arg=zeros
// expect: arg 0 = [0, -2147483648, 699, 0, 999, -1, -1, -5, -5, 700, 700]

// Zeros of both signs are equal, and the one that is taken keeps its sign; infinities are taken like
// other values, and NaN never, nor anything instead of a NaN that the loop starts from.
func.func @main(%k: memref<11xi32>, %unused: memref<1xf32>) {
  %zeros = memref.alloc() : memref<1000xf32>
  %depths = memref.alloc() : memref<1000xf32>
  %nans = memref.alloc() : memref<1000xf32>
  %minus_zero = arith.constant -0.0 : f32
  %zero = arith.constant 0.0 : f32
  %bottom = arith.constant 0xFF800000 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %minus_one = arith.constant -1.0 : f32
  %none = arith.constant -1 : i32
  affine.for %i = 0 to 1000 {
    affine.store %minus_zero, %zeros[%i] : memref<1000xf32>
    affine.store %bottom, %depths[%i] : memref<1000xf32>
    affine.store %nan, %nans[%i] : memref<1000xf32>
  }
  affine.store %zero, %zeros[700] : memref<1000xf32>

  %r0:2 = affine.for %i = 0 to 1000 iter_args(%m = %minus_one, %p = %none) -> (f32, i32) {
    %x = affine.load %zeros[%i] : memref<1000xf32>
    %c = arith.cmpf ogt, %x, %m : f32
    %at = arith.index_cast %i : index to i32
    %y = arith.select %c, %x, %m : f32
    %q = arith.select %c, %at, %p : i32
    affine.yield %y, %q : f32, i32
  }
  affine.store %r0#1, %k[0] : memref<11xi32>
  %bits0 = arith.bitcast %r0#0 : f32 to i32
  affine.store %bits0, %k[1] : memref<11xi32>

  // The last of those before 700, from there on behind it: the last one that is no less.
  %r2:2 = affine.for %i = 0 to 701 iter_args(%m = %minus_one, %p = %none) -> (f32, i32) {
    %x = affine.load %zeros[-%i + 700] : memref<1000xf32>
    %c = arith.cmpf oge, %x, %m : f32
    %at = arith.index_cast %i : index to i32
    %y = arith.select %c, %x, %m : f32
    %q = arith.select %c, %at, %p : i32
    affine.yield %y, %q : f32, i32
  }
  %one = arith.constant 1 : i32
  %k2 = arith.subi %r2#1, %one : i32
  affine.store %k2, %k[2] : memref<11xi32>
  // It began with the zero without a sign and ends with one that has it.
  %bits2 = arith.bitcast %r2#0 : f32 to i32
  %smallest = arith.constant -2147483648 : i32
  %kept = arith.subi %bits2, %smallest : i32
  affine.store %kept, %k[3] : memref<11xi32>

  // Equal to what it starts from: the last one, or none.
  %r4:2 = affine.for %i = 0 to 1000 iter_args(%m = %bottom, %p = %none) -> (f32, i32) {
    %x = affine.load %depths[%i] : memref<1000xf32>
    %c = arith.cmpf oge, %x, %m : f32
    %at = arith.index_cast %i : index to i32
    %y = arith.select %c, %x, %m : f32
    %q = arith.select %c, %at, %p : i32
    affine.yield %y, %q : f32, i32
  }
  affine.store %r4#1, %k[4] : memref<11xi32>
  %r5:2 = affine.for %i = 0 to 1000 iter_args(%m = %bottom, %p = %none) -> (f32, i32) {
    %x = affine.load %depths[%i] : memref<1000xf32>
    %c = arith.cmpf ogt, %x, %m : f32
    %at = arith.index_cast %i : index to i32
    %y = arith.select %c, %x, %m : f32
    %q = arith.select %c, %at, %p : i32
    affine.yield %y, %q : f32, i32
  }
  affine.store %r5#1, %k[5] : memref<11xi32>

  // No NaN is taken, though nothing better comes.
  %r6:2 = affine.for %i = 0 to 1000 iter_args(%m = %bottom, %p = %none) -> (f32, i32) {
    %x = affine.load %nans[%i] : memref<1000xf32>
    %c = arith.cmpf oge, %x, %m : f32
    %at = arith.index_cast %i : index to i32
    %y = arith.select %c, %x, %m : f32
    %q = arith.select %c, %at, %p : i32
    affine.yield %y, %q : f32, i32
  }
  affine.store %r6#1, %k[6] : memref<11xi32>

  // From NaN nothing is better.
  %minus_five = arith.constant -5 : i32
  %r7:2 = affine.for %i = 0 to 1000 iter_args(%m = %nan, %p = %minus_five) -> (f32, i32) {
    %x = affine.load %zeros[%i] : memref<1000xf32>
    %c = arith.cmpf oge, %x, %m : f32
    %at = arith.index_cast %i : index to i32
    %y = arith.select %c, %x, %m : f32
    %q = arith.select %c, %at, %p : i32
    affine.yield %y, %q : f32, i32
  }
  affine.store %r7#1, %k[7] : memref<11xi32>
  %r8:2 = affine.for %i = 0 to 1000 iter_args(%m = %nan, %p = %minus_five) -> (f32, i32) {
    %x = affine.load %zeros[%i] : memref<1000xf32>
    %c = arith.cmpf olt, %x, %m : f32
    %at = arith.index_cast %i : index to i32
    %y = arith.minimumf %x, %m : f32
    %q = arith.select %c, %at, %p : i32
    affine.yield %y, %q : f32, i32
  }
  affine.store %r8#1, %k[8] : memref<11xi32>

  // Unordered comparisons take NaN, and whatever follows it: the loop stays as it is.
  affine.store %minus_one, %nans[700] : memref<1000xf32>
  %r9:2 = affine.for %i = 0 to 701 iter_args(%m = %bottom, %p = %none) -> (f32, i32) {
    %x = affine.load %nans[%i] : memref<1000xf32>
    %c = arith.cmpf ugt, %x, %m : f32
    %at = arith.index_cast %i : index to i32
    %y = arith.select %c, %x, %m : f32
    %q = arith.select %c, %at, %p : i32
    affine.yield %y, %q : f32, i32
  }
  affine.store %r9#1, %k[9] : memref<11xi32>

  // The only number among NaN.
  %r10:2 = affine.for %i = 0 to 1000 iter_args(%m = %bottom, %p = %none) -> (f32, i32) {
    %x = affine.load %nans[%i] : memref<1000xf32>
    %c = arith.cmpf oge, %x, %m : f32
    %at = arith.index_cast %i : index to i32
    %y = arith.select %c, %x, %m : f32
    %q = arith.select %c, %at, %p : i32
    affine.yield %y, %q : f32, i32
  }
  affine.store %r10#1, %k[10] : memref<11xi32>
  memref.dealloc %zeros : memref<1000xf32>
  memref.dealloc %depths : memref<1000xf32>
  memref.dealloc %nans : memref<1000xf32>
  return
}
