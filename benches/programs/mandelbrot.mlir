// How many of 64 steps z <- z^2 + c stay within 2, for c over [-2, 1) by [-1.5, 1.5) in 512 steps each way.
func.func @mandelbrot(%n: memref<512x512xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %four = arith.constant 4.0 : f32
  %step = arith.constant 0.005859375 : f32
  %left = arith.constant -2.0 : f32
  %top = arith.constant -1.5 : f32
  affine.for %i = 0 to 512 {
    affine.for %j = 0 to 512 {
      %ii = arith.index_cast %i : index to i32
      %jj = arith.index_cast %j : index to i32
      %fi = arith.sitofp %ii : i32 to f32
      %fj = arith.sitofp %jj : i32 to f32
      %ci = arith.mulf %fi, %step : f32
      %cj = arith.mulf %fj, %step : f32
      %b = arith.addf %top, %ci : f32
      %a = arith.addf %left, %cj : f32
      %r:3 = affine.for %k = 0 to 64 iter_args(%x = %zero, %y = %zero, %count = %zero) -> (f32, f32, f32) {
        %xx = arith.mulf %x, %x : f32
        %yy = arith.mulf %y, %y : f32
        %d = arith.addf %xx, %yy : f32
        %in = arith.cmpf ole, %d, %four : f32
        %more = arith.addf %count, %one : f32
        %e = arith.subf %xx, %yy : f32
        %u = arith.addf %e, %a : f32
        %xy = arith.mulf %x, %y : f32
        %t = arith.mulf %two, %xy : f32
        %v = arith.addf %t, %b : f32
        %x1 = arith.select %in, %u, %x : f32
        %y1 = arith.select %in, %v, %y : f32
        %count1 = arith.select %in, %more, %count : f32
        affine.yield %x1, %y1, %count1 : f32, f32, f32
      }
      affine.store %r#2, %n[%i, %j] : memref<512x512xf32>
    }
  }
  return
}
