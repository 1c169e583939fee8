// Functions called from inside loops: one on scalars, one that writes a row of
// a matrix it is handed whole, one that calls another.
//     a[i, j] = horner(a[i, j])      with horner(x) = (2 x + 1) x + 3
//     ends[i] = a[i, 0] + a[i, 16]   for 0 <= i < 14, 0 <= j < 17

func.func @calls_in_loops(%a: memref<14x17xf32>, %ends: memref<14xf32>) {
  affine.for %i = 0 to 14 {
    func.call @row(%a, %i) : (memref<14x17xf32>, index) -> ()
    %x = affine.load %a[%i, 0] : memref<14x17xf32>
    %y = affine.load %a[%i, 16] : memref<14x17xf32>
    %z = arith.addf %x, %y : f32
    affine.store %z, %ends[%i] : memref<14xf32>
  }
  return
}

func.func private @row(%a: memref<14x17xf32>, %i: index) {
  affine.for %j = 0 to 17 {
    %x = affine.load %a[symbol(%i), %j] : memref<14x17xf32>
    %y = func.call @horner(%x) : (f32) -> f32
    affine.store %y, %a[symbol(%i), %j] : memref<14x17xf32>
  }
  return
}

func.func private @horner(%x: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %t0 = arith.mulf %two, %x : f32
  %t1 = arith.addf %t0, %one : f32
  %t2 = arith.mulf %t1, %x : f32
  %t3 = arith.addf %t2, %three : f32
  return %t3 : f32
}
