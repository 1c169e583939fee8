// test: canonical
func.func @sums(%x: f8E5M2, %y: f128) -> (f8E5M2, f8E5M2, f8E5M2, f128, f8E5M2) {
  %m0 = arith.constant -0.0 : f8E5M2
  %p0 = arith.constant 0.0 : f8E5M2
  %q0 = arith.constant -0.0 : f128
  %a = arith.addf %m0, %x : f8E5M2
  %b = arith.addf %x, %p0 : f8E5M2
  %c = arith.subf %x, %p0 : f8E5M2
  %d = arith.addf %y, %q0 : f128
  %e = arith.subf %x, %m0 : f8E5M2
  return %a, %b, %c, %d, %e : f8E5M2, f8E5M2, f8E5M2, f128, f8E5M2
}

func.func @products(%x: tf32, %y: f80) -> (tf32, tf32, f80, f80, f80) {
  %o = arith.constant 1.0 : tf32
  %t = arith.constant 3.0 : tf32
  %p = arith.constant 1.0 : f80
  %a = arith.mulf %o, %x : tf32
  %b = arith.mulf %t, %x : tf32
  %c = arith.divf %y, %p : f80
  %d = arith.divf %p, %y : f80
  %e = arith.mulf %y, %p : f80
  return %a, %b, %c, %d, %e : tf32, tf32, f80, f80, f80
}

func.func @rests() -> (f8E4M3FN, tf32, f80) {
  %a = arith.constant 7.5 : f8E4M3FN
  %b = arith.constant -2.0 : f8E4M3FN
  %c = arith.constant 10.25 : tf32
  %d = arith.constant 3.0 : tf32
  %e = arith.constant -7.0 : f80
  %f = arith.constant 2.5 : f80
  %x = arith.remf %a, %b : f8E4M3FN
  %y = arith.remf %c, %d : tf32
  %z = arith.remf %e, %f : f80
  return %x, %y, %z : f8E4M3FN, tf32, f80
}

func.func @extrema(%x: f8E4M3, %y: f32) -> (f8E4M3, f8E4M3, f8E4M3, f8E4M3, f8E4M3, f32, f8E4M3) {
  %a = arith.constant 3.0 : f8E4M3
  %b = arith.constant -1.5 : f8E4M3
  %p0 = arith.constant 0.0 : f8E4M3
  %m0 = arith.constant -0.0 : f8E4M3
  %t = arith.constant 3.0 : f32
  %c = arith.maximumf %a, %b : f8E4M3
  %d = arith.minnumf %b, %a : f8E4M3
  %e = arith.maximumf %x, %x : f8E4M3
  %f = arith.minimumf %a, %x : f8E4M3
  %g = arith.maximumf %m0, %p0 : f8E4M3
  %h = arith.maxnumf %t, %y : f32
  %i = arith.minnumf %x, %x : f8E4M3
  return %c, %d, %e, %f, %g, %h, %i : f8E4M3, f8E4M3, f8E4M3, f8E4M3, f8E4M3, f32, f8E4M3
}

func.func @which_zero(%x: f32) -> (f32, f32) {
  %z = arith.constant 0.0 : f32
  %a = arith.maxnumf %z, %x : f32
  %b = arith.minnumf %z, %x : f32
  return %a, %b : f32, f32
}

func.func @signs(%x: f8E4M3FNUZ) -> (f8E4M3FNUZ, f8E4M3FNUZ, f8E5M2, f8E5M2) {
  %a = arith.constant 2.5 : f8E4M3FNUZ
  %b = arith.constant -6.0 : f8E5M2
  %c = arith.constant 0.25 : f8E5M2
  %d = arith.negf %a : f8E4M3FNUZ
  %n = arith.negf %x : f8E4M3FNUZ
  %e = arith.negf %n : f8E4M3FNUZ
  %f = math.absf %b : f8E5M2
  %g = math.copysign %c, %b : f8E5M2
  return %d, %e, %f, %g : f8E4M3FNUZ, f8E4M3FNUZ, f8E5M2, f8E5M2
}

func.func @steps() -> (tf32, tf32, f8E5M2, f80) {
  %a = arith.constant 2.5 : tf32
  %b = arith.constant -2.5 : tf32
  %c = arith.constant 1.75 : f8E5M2
  %d = arith.constant 3.5 : f80
  %e = math.ceil %b : tf32
  %f = math.roundeven %a : tf32
  %g = math.floor %c : f8E5M2
  %h = math.roundeven %d : f80
  return %e, %f, %g, %h : tf32, tf32, f8E5M2, f80
}

func.func @questions() -> (i1, i1, i1, i1, i1) {
  %least = arith.constant 0x04 : f8E5M2
  %below = arith.constant 0x03 : f8E5M2
  %inf = arith.constant 0x7C : f8E5M2
  %nan = arith.constant 0x80 : f8E4M3FNUZ
  %a = math.isnormal %least : f8E5M2
  %b = math.isnormal %below : f8E5M2
  %c = math.isinf %inf : f8E5M2
  %d = math.isnan %nan : f8E4M3FNUZ
  %e = math.isfinite %inf : f8E5M2
  return %a, %b, %c, %d, %e : i1, i1, i1, i1, i1
}

func.func @integers() -> (i8, i8, i4, tf32, f8E5M2, f128) {
  %a = arith.constant -3.5 : tf32
  %b = arith.constant 12.0 : f8E4M3
  %c = arith.constant 7.5 : f8E4M3
  %k = arith.constant -77 : i16
  %l = arith.constant 200 : i8
  %m = arith.constant 123456789 : i64
  %x = arith.fptosi %a : tf32 to i8
  %y = arith.fptoui %b : f8E4M3 to i8
  %z = arith.fptosi %c : f8E4M3 to i4
  %u = arith.sitofp %k : i16 to tf32
  %v = arith.uitofp %l : i8 to f8E5M2
  %w = arith.sitofp %m : i64 to f128
  return %x, %y, %z, %u, %v, %w : i8, i8, i4, tf32, f8E5M2, f128
}

func.func @no_room() -> (i8, i8, i4) {
  %a = arith.constant -3.5 : tf32
  %b = arith.constant 240.0 : f8E4M3
  %c = arith.constant 8.0 : f8E4M3
  %x = arith.fptoui %a : tf32 to i8
  %y = arith.fptosi %b : f8E4M3 to i8
  %z = arith.fptosi %c : f8E4M3 to i4
  return %x, %y, %z : i8, i8, i4
}

func.func @alike(%x: vector<4xf8E5M2>) -> (vector<4xf8E5M2>, vector<4xf8E5M2>, vector<4xf8E5M2>, vector<4xf32>) {
  %o = arith.constant dense<1.0> : vector<4xf8E5M2>
  %t = arith.constant dense<3.0> : vector<4xf8E5M2>
  %a = arith.mulf %o, %x : vector<4xf8E5M2>
  %b = arith.addf %t, %o : vector<4xf8E5M2>
  %c = arith.negf %t : vector<4xf8E5M2>
  %d = arith.extf %t : vector<4xf8E5M2> to vector<4xf32>
  return %a, %b, %c, %d : vector<4xf8E5M2>, vector<4xf8E5M2>, vector<4xf8E5M2>, vector<4xf32>
}
