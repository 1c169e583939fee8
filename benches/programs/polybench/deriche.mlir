// deriche: an edge detector, recursive along rows, then along columns, each forwards and backwards.
// The backward passes count down from 63 to 0 as 63 - %j.
func.func @deriche(%alpha: f32, %imgIn: memref<64x64xf32>, %imgOut: memref<64x64xf32>, %y1: memref<64x64xf32>,
                   %y2: memref<64x64xf32>) {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %cminus_2 = arith.constant -2.0 : f32
  %zero = arith.constant 0.0 : f32
  %k = memref.alloca() : memref<f32>
  %a1 = memref.alloca() : memref<f32>
  %a2 = memref.alloca() : memref<f32>
  %a3 = memref.alloca() : memref<f32>
  %a4 = memref.alloca() : memref<f32>
  %b1 = memref.alloca() : memref<f32>
  %b2 = memref.alloca() : memref<f32>
  %ym1 = memref.alloca() : memref<f32>
  %ym2 = memref.alloca() : memref<f32>
  %xm1 = memref.alloca() : memref<f32>
  %yp1 = memref.alloca() : memref<f32>
  %yp2 = memref.alloca() : memref<f32>
  %xp1 = memref.alloca() : memref<f32>
  %xp2 = memref.alloca() : memref<f32>
  %tm1 = memref.alloca() : memref<f32>
  %tp1 = memref.alloca() : memref<f32>
  %tp2 = memref.alloca() : memref<f32>
  %neg = arith.negf %alpha : f32
  %exp = math.exp %neg : f32
  %diff = arith.subf %one, %exp : f32
  %neg0 = arith.negf %alpha : f32
  %exp0 = math.exp %neg0 : f32
  %diff0 = arith.subf %one, %exp0 : f32
  %prod = arith.mulf %diff, %diff0 : f32
  %prod0 = arith.mulf %two, %alpha : f32
  %neg1 = arith.negf %alpha : f32
  %exp1 = math.exp %neg1 : f32
  %prod1 = arith.mulf %prod0, %exp1 : f32
  %sum = arith.addf %one, %prod1 : f32
  %prod2 = arith.mulf %two, %alpha : f32
  %exp2 = math.exp %prod2 : f32
  %diff1 = arith.subf %sum, %exp2 : f32
  %quot = arith.divf %prod, %diff1 : f32
  affine.store %quot, %k[] : memref<f32>
  %k_now = affine.load %k[] : memref<f32>
  affine.store %k_now, %a1[] : memref<f32>
  %k_now0 = affine.load %k[] : memref<f32>
  %neg2 = arith.negf %alpha : f32
  %exp3 = math.exp %neg2 : f32
  %prod3 = arith.mulf %k_now0, %exp3 : f32
  %diff2 = arith.subf %alpha, %one : f32
  %prod4 = arith.mulf %prod3, %diff2 : f32
  affine.store %prod4, %a2[] : memref<f32>
  %k_now1 = affine.load %k[] : memref<f32>
  %neg3 = arith.negf %alpha : f32
  %exp4 = math.exp %neg3 : f32
  %prod5 = arith.mulf %k_now1, %exp4 : f32
  %sum0 = arith.addf %alpha, %one : f32
  %prod6 = arith.mulf %prod5, %sum0 : f32
  affine.store %prod6, %a3[] : memref<f32>
  %k_now2 = affine.load %k[] : memref<f32>
  %neg4 = arith.negf %k_now2 : f32
  %prod7 = arith.mulf %cminus_2, %alpha : f32
  %exp5 = math.exp %prod7 : f32
  %prod8 = arith.mulf %neg4, %exp5 : f32
  affine.store %prod8, %a4[] : memref<f32>
  %neg5 = arith.negf %alpha : f32
  %pow = math.powf %two, %neg5 : f32
  affine.store %pow, %b1[] : memref<f32>
  %prod9 = arith.mulf %cminus_2, %alpha : f32
  %exp6 = math.exp %prod9 : f32
  %neg6 = arith.negf %exp6 : f32
  affine.store %neg6, %b2[] : memref<f32>
  affine.for %i = 0 to 64 {
    affine.store %zero, %ym1[] : memref<f32>
    affine.store %zero, %ym2[] : memref<f32>
    affine.store %zero, %xm1[] : memref<f32>
    affine.for %j = 0 to 64 {
      %a1_now = affine.load %a1[] : memref<f32>
      %imgin_ij = affine.load %imgIn[%i, %j] : memref<64x64xf32>
      %prod10 = arith.mulf %a1_now, %imgin_ij : f32
      %a2_now = affine.load %a2[] : memref<f32>
      %xm1_now = affine.load %xm1[] : memref<f32>
      %prod11 = arith.mulf %a2_now, %xm1_now : f32
      %sum1 = arith.addf %prod10, %prod11 : f32
      %b1_now = affine.load %b1[] : memref<f32>
      %ym1_now = affine.load %ym1[] : memref<f32>
      %prod12 = arith.mulf %b1_now, %ym1_now : f32
      %sum2 = arith.addf %sum1, %prod12 : f32
      %b2_now = affine.load %b2[] : memref<f32>
      %ym2_now = affine.load %ym2[] : memref<f32>
      %prod13 = arith.mulf %b2_now, %ym2_now : f32
      %sum3 = arith.addf %sum2, %prod13 : f32
      affine.store %sum3, %y1[%i, %j] : memref<64x64xf32>
      %imgin_ij0 = affine.load %imgIn[%i, %j] : memref<64x64xf32>
      affine.store %imgin_ij0, %xm1[] : memref<f32>
      %ym1_now0 = affine.load %ym1[] : memref<f32>
      affine.store %ym1_now0, %ym2[] : memref<f32>
      %y1_ij = affine.load %y1[%i, %j] : memref<64x64xf32>
      affine.store %y1_ij, %ym1[] : memref<f32>
    }
  }
  affine.for %i = 0 to 64 {
    affine.store %zero, %yp1[] : memref<f32>
    affine.store %zero, %yp2[] : memref<f32>
    affine.store %zero, %xp1[] : memref<f32>
    affine.store %zero, %xp2[] : memref<f32>
    affine.for %j = 0 to 64 {
      %a3_now = affine.load %a3[] : memref<f32>
      %xp1_now = affine.load %xp1[] : memref<f32>
      %prod10 = arith.mulf %a3_now, %xp1_now : f32
      %a4_now = affine.load %a4[] : memref<f32>
      %xp2_now = affine.load %xp2[] : memref<f32>
      %prod11 = arith.mulf %a4_now, %xp2_now : f32
      %sum1 = arith.addf %prod10, %prod11 : f32
      %b1_now = affine.load %b1[] : memref<f32>
      %yp1_now = affine.load %yp1[] : memref<f32>
      %prod12 = arith.mulf %b1_now, %yp1_now : f32
      %sum2 = arith.addf %sum1, %prod12 : f32
      %b2_now = affine.load %b2[] : memref<f32>
      %yp2_now = affine.load %yp2[] : memref<f32>
      %prod13 = arith.mulf %b2_now, %yp2_now : f32
      %sum3 = arith.addf %sum2, %prod13 : f32
      affine.store %sum3, %y2[%i, 63 - %j] : memref<64x64xf32>
      %xp1_now0 = affine.load %xp1[] : memref<f32>
      affine.store %xp1_now0, %xp2[] : memref<f32>
      %imgin_i63mj = affine.load %imgIn[%i, 63 - %j] : memref<64x64xf32>
      affine.store %imgin_i63mj, %xp1[] : memref<f32>
      %yp1_now0 = affine.load %yp1[] : memref<f32>
      affine.store %yp1_now0, %yp2[] : memref<f32>
      %y2_i63mj = affine.load %y2[%i, 63 - %j] : memref<64x64xf32>
      affine.store %y2_i63mj, %yp1[] : memref<f32>
    }
  }
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %y1_ij = affine.load %y1[%i, %j] : memref<64x64xf32>
      %y2_ij = affine.load %y2[%i, %j] : memref<64x64xf32>
      %sum1 = arith.addf %y1_ij, %y2_ij : f32
      affine.store %sum1, %imgOut[%i, %j] : memref<64x64xf32>
    }
  }
  affine.for %j = 0 to 64 {
    affine.store %zero, %tm1[] : memref<f32>
    affine.store %zero, %ym1[] : memref<f32>
    affine.store %zero, %ym2[] : memref<f32>
    affine.for %i = 0 to 64 {
      %a1_now = affine.load %a1[] : memref<f32>
      %imgout_ij = affine.load %imgOut[%i, %j] : memref<64x64xf32>
      %prod10 = arith.mulf %a1_now, %imgout_ij : f32
      %a2_now = affine.load %a2[] : memref<f32>
      %tm1_now = affine.load %tm1[] : memref<f32>
      %prod11 = arith.mulf %a2_now, %tm1_now : f32
      %sum1 = arith.addf %prod10, %prod11 : f32
      %b1_now = affine.load %b1[] : memref<f32>
      %ym1_now = affine.load %ym1[] : memref<f32>
      %prod12 = arith.mulf %b1_now, %ym1_now : f32
      %sum2 = arith.addf %sum1, %prod12 : f32
      %b2_now = affine.load %b2[] : memref<f32>
      %ym2_now = affine.load %ym2[] : memref<f32>
      %prod13 = arith.mulf %b2_now, %ym2_now : f32
      %sum3 = arith.addf %sum2, %prod13 : f32
      affine.store %sum3, %y1[%i, %j] : memref<64x64xf32>
      %imgout_ij0 = affine.load %imgOut[%i, %j] : memref<64x64xf32>
      affine.store %imgout_ij0, %tm1[] : memref<f32>
      %ym1_now0 = affine.load %ym1[] : memref<f32>
      affine.store %ym1_now0, %ym2[] : memref<f32>
      %y1_ij = affine.load %y1[%i, %j] : memref<64x64xf32>
      affine.store %y1_ij, %ym1[] : memref<f32>
    }
  }
  affine.for %j = 0 to 64 {
    affine.store %zero, %tp1[] : memref<f32>
    affine.store %zero, %tp2[] : memref<f32>
    affine.store %zero, %yp1[] : memref<f32>
    affine.store %zero, %yp2[] : memref<f32>
    affine.for %i = 0 to 64 {
      %a3_now = affine.load %a3[] : memref<f32>
      %tp1_now = affine.load %tp1[] : memref<f32>
      %prod10 = arith.mulf %a3_now, %tp1_now : f32
      %a4_now = affine.load %a4[] : memref<f32>
      %tp2_now = affine.load %tp2[] : memref<f32>
      %prod11 = arith.mulf %a4_now, %tp2_now : f32
      %sum1 = arith.addf %prod10, %prod11 : f32
      %b1_now = affine.load %b1[] : memref<f32>
      %yp1_now = affine.load %yp1[] : memref<f32>
      %prod12 = arith.mulf %b1_now, %yp1_now : f32
      %sum2 = arith.addf %sum1, %prod12 : f32
      %b2_now = affine.load %b2[] : memref<f32>
      %yp2_now = affine.load %yp2[] : memref<f32>
      %prod13 = arith.mulf %b2_now, %yp2_now : f32
      %sum3 = arith.addf %sum2, %prod13 : f32
      affine.store %sum3, %y2[63 - %i, %j] : memref<64x64xf32>
      %tp1_now0 = affine.load %tp1[] : memref<f32>
      affine.store %tp1_now0, %tp2[] : memref<f32>
      %imgout_63mij = affine.load %imgOut[63 - %i, %j] : memref<64x64xf32>
      affine.store %imgout_63mij, %tp1[] : memref<f32>
      %yp1_now0 = affine.load %yp1[] : memref<f32>
      affine.store %yp1_now0, %yp2[] : memref<f32>
      %y2_63mij = affine.load %y2[63 - %i, %j] : memref<64x64xf32>
      affine.store %y2_63mij, %yp1[] : memref<f32>
    }
  }
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %y1_ij = affine.load %y1[%i, %j] : memref<64x64xf32>
      %y2_ij = affine.load %y2[%i, %j] : memref<64x64xf32>
      %sum1 = arith.addf %y1_ij, %y2_ij : f32
      affine.store %sum1, %imgOut[%i, %j] : memref<64x64xf32>
    }
  }
  return
}
