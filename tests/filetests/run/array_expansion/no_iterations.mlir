// A loop without iterations allocates nothing, whatever the size is.
// test: run --no-specialize --arg=iota[2000] --arg=zeros[2000] --arg=0 --arg=-5
// expect: result 0 = 0
// test: run --no-specialize --map-for=gpu --arg=iota[2000] --arg=zeros[2000] --arg=0 --arg=-5
// expect: result 0 = 0
// test: run --no-specialize --arg=iota[2000] --arg=zeros[2000] --arg=0 --arg=4611686018427387904
// expect: result 0 = 0
// test: run --no-specialize --arg=iota[2000] --arg=zeros[2000] --arg=0 --arg=9223372036854775807
// expect: result 0 = 0
// Row 1 holds 1, 2, 3 and 4.
// test: run --no-specialize --arg=iota[2000] --arg=zeros[2000] --arg=3 --arg=4
// expect: result 0 = 4

/// Prefix sums of a row of x[i] of %m numbers for each of %n rows; returns the last of row 1.
func.func @main(%x: memref<?xf32>, %y: memref<?xf32>, %n: index, %m: index) -> f32 {
  affine.for %i = 0 to %n {
    %t = memref.alloc(%m) : memref<?xf32>
    %v = affine.load %x[%i] : memref<?xf32>
    affine.for %j = 0 to %m {
      affine.store %v, %t[%j] : memref<?xf32>
    }
    affine.for %j = 1 to %m {
      %a = affine.load %t[%j - 1] : memref<?xf32>
      %b = affine.load %t[%j] : memref<?xf32>
      %c = arith.addf %a, %b : f32
      affine.store %c, %t[%j] : memref<?xf32>
    }
    %e = affine.load %t[%m - 1] : memref<?xf32>
    affine.store %e, %y[%i] : memref<?xf32>
    memref.dealloc %t : memref<?xf32>
  }
  %last = affine.load %y[1] : memref<?xf32>
  return %last : f32
}
