// test: canonical
func.func @small() -> (f8E4M3FN, f8E5M2, f8E4M3FNUZ, tf32, f8E5M2FNUZ, f8E4M3B11FNUZ, f6E3M2FN, f4E2M1FN) {
  %a = arith.constant 1.125 : f8E4M3FN
  %0 = arith.mulf %a, %a : f8E4M3FN
  %b = arith.constant 1.75 : f8E5M2
  %1 = arith.divf %b, %b : f8E5M2
  %c = arith.constant 1.75 : f8E4M3FNUZ
  %2 = arith.subf %c, %c : f8E4M3FNUZ
  %d = arith.constant 1.1 : tf32
  %3 = arith.mulf %d, %d : tf32
  %e = arith.constant 1.75 : f8E5M2FNUZ
  %4 = arith.mulf %e, %e : f8E5M2FNUZ
  %f = arith.constant 1.75 : f8E4M3B11FNUZ
  %5 = arith.addf %f, %f : f8E4M3B11FNUZ
  %g = arith.constant 1.5 : f6E3M2FN
  %6 = arith.addf %g, %g : f6E3M2FN
  %h = arith.constant 1.5 : f4E2M1FN
  %7 = arith.addf %h, %h : f4E2M1FN
  return %0, %1, %2, %3, %4, %5, %6, %7 : f8E4M3FN, f8E5M2, f8E4M3FNUZ, tf32, f8E5M2FNUZ, f8E4M3B11FNUZ, f6E3M2FN, f4E2M1FN
}

func.func @large() -> (f128, f128, f80, f80) {
  %a = arith.constant 1.1 : f128
  %b = arith.constant 3.0 : f128
  %0 = arith.mulf %a, %b : f128
  %1 = arith.divf %a, %b : f128
  %c = arith.constant 1.1 : f80
  %d = arith.constant 3.0 : f80
  %2 = arith.divf %c, %d : f80
  %3 = arith.subf %c, %d : f80
  return %0, %1, %2, %3 : f128, f128, f80, f80
}

func.func @converted() -> (f32, f8E4M3FN, f128, f64, i1) {
  %a = arith.constant 1.125 : f8E4M3FN
  %0 = arith.extf %a : f8E4M3FN to f32
  %b = arith.constant 1.2 : f32
  %1 = arith.truncf %b : f32 to f8E4M3FN
  %2 = arith.extf %b : f32 to f128
  %c = arith.constant 2.5 : f128
  %3 = arith.truncf %c : f128 to f64
  %4 = arith.cmpf olt, %a, %1 : f8E4M3FN
  return %0, %1, %2, %3, %4 : f32, f8E4M3FN, f128, f64, i1
}
