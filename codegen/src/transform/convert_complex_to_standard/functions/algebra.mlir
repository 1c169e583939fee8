// Functions of complex numbers on their two parts. $T is f32 or f64; the other names after $ are
// numbers of that format, given in library.rs. A function is one block, which is copied to where it
// is used; calls among them are copied likewise. Special values follow Annex G of C17 where the
// formula alone would lose them.

// Power of two that brings the larger of two absolute values into the range whose squares neither
// overflow nor underflow, and its logarithm.
func.func @scale(%m: $T) -> ($T, $T) {
  %big = arith.constant $BIG : $T
  %small = arith.constant $SMALL : $T
  %one = arith.constant 1.0 : $T
  %zero = arith.constant 0.0 : $T
  %down = arith.constant $DOWN : $T
  %up = arith.constant $UP : $T
  %log_down = arith.constant $LOG_DOWN : $T
  %log_up = arith.constant $LOG_UP : $T
  %is_big = arith.cmpf ogt, %m, %big : $T
  %is_small = arith.cmpf olt, %m, %small : $T
  %s0 = arith.select %is_small, %up, %one : $T
  %s = arith.select %is_big, %down, %s0 : $T
  %l0 = arith.select %is_small, %log_up, %zero : $T
  %l = arith.select %is_big, %log_down, %l0 : $T
  return %s, %l : $T, $T
}

// Both parts times that power of two, the sum of their squares, the power, and its logarithm.
func.func @squares(%a: $T, %b: $T) -> ($T, $T, $T, $T, $T) {
  %x = math.absf %a : $T
  %y = math.absf %b : $T
  %m = arith.maximumf %x, %y : $T
  %s, %l = func.call @scale(%m) : ($T) -> ($T, $T)
  %p = arith.mulf %a, %s : $T
  %q = arith.mulf %b, %s : $T
  %pp = arith.mulf %p, %p : $T
  %qq = arith.mulf %q, %q : $T
  %sum = arith.addf %pp, %qq : $T
  return %p, %q, %sum, %s, %l : $T, $T, $T, $T, $T
}

// Whether a part is infinite, in absolute values.
func.func @any_infinite(%a: $T, %b: $T) -> i1 {
  %inf = arith.constant $INF : $T
  %x = math.absf %a : $T
  %y = math.absf %b : $T
  %i = arith.cmpf oeq, %x, %inf : $T
  %j = arith.cmpf oeq, %y, %inf : $T
  %r = arith.ori %i, %j : i1
  return %r : i1
}

// Whether a number is neither infinite nor NaN.
func.func @finite(%a: $T) -> i1 {
  %inf = arith.constant $INF : $T
  %x = math.absf %a : $T
  %r = arith.cmpf olt, %x, %inf : $T
  return %r : i1
}

func.func @abs(%a: $T, %b: $T) -> $T {
  %p, %q, %sum, %s, %l = func.call @squares(%a, %b) : ($T, $T) -> ($T, $T, $T, $T, $T)
  %h = math.sqrt %sum : $T
  %r = arith.divf %h, %s : $T
  %inf = arith.constant $INF : $T
  %special = func.call @any_infinite(%a, %b) : ($T, $T) -> i1
  %result = arith.select %special, %inf, %r : $T
  return %result : $T
}

func.func @angle(%a: $T, %b: $T) -> $T {
  %r = math.atan2 %b, %a : $T
  return %r : $T
}

func.func @sign(%a: $T, %b: $T) -> ($T, $T) {
  %zero = arith.constant 0.0 : $T
  %p, %q, %sum, %s, %l = func.call @squares(%a, %b) : ($T, $T) -> ($T, $T, $T, $T, $T)
  %h = math.sqrt %sum : $T
  %x = arith.divf %p, %h : $T
  %y = arith.divf %q, %h : $T
  %none = arith.cmpf oeq, %sum, %zero : $T
  %re = arith.select %none, %a, %x : $T
  %im = arith.select %none, %b, %y : $T
  return %re, %im : $T, $T
}

func.func @exp(%a: $T, %b: $T) -> ($T, $T) {
  %zero = arith.constant 0.0 : $T
  %half = arith.constant 0.5 : $T
  %inf = arith.constant $INF : $T
  %minus_inf = arith.constant $MINUS_INF : $T
  %cos = math.cos %b : $T
  %sin = math.sin %b : $T
  %e = math.exp %a : $T
  %c0 = arith.mulf %e, %cos : $T
  %s0 = arith.mulf %e, %sin : $T
  // Where e^a overflows, e^a * sin b need not.
  %a2 = arith.mulf %a, %half : $T
  %h = math.exp %a2 : $T
  %hc = arith.mulf %h, %cos : $T
  %hs = arith.mulf %h, %sin : $T
  %c1 = arith.mulf %hc, %h : $T
  %s1 = arith.mulf %hs, %h : $T
  %over = arith.cmpf oeq, %e, %inf : $T
  %c2 = arith.select %over, %c1, %c0 : $T
  %s2 = arith.select %over, %s1, %s0 : $T
  %finite = func.call @finite(%b) : ($T) -> i1
  %true = arith.constant true
  %wild = arith.xori %finite, %true : i1
  %at_zero = arith.cmpf oeq, %a, %minus_inf : $T
  %at_inf = arith.cmpf oeq, %a, %inf : $T
  %vanishes = arith.andi %wild, %at_zero : i1
  %infinite = arith.andi %wild, %at_inf : i1
  %c3 = arith.select %infinite, %inf, %c2 : $T
  %c = arith.select %vanishes, %zero, %c3 : $T
  %s3 = arith.select %vanishes, %zero, %s2 : $T
  %real = arith.cmpf oeq, %b, %zero : $T
  %s = arith.select %real, %b, %s3 : $T
  return %c, %s : $T, $T
}

// e^a cos b - 1 = (e^a - 1) cos b - 2 sin^2(b/2), whose terms cancel less.
func.func @expm1(%a: $T, %b: $T) -> ($T, $T) {
  %one = arith.constant 1.0 : $T
  %two = arith.constant 2.0 : $T
  %half = arith.constant 0.5 : $T
  %minus_inf = arith.constant $MINUS_INF : $T
  %x, %y = func.call @exp(%a, %b) : ($T, $T) -> ($T, $T)
  %e = math.expm1 %a : $T
  %cos = math.cos %b : $T
  %b2 = arith.mulf %b, %half : $T
  %sin = math.sin %b2 : $T
  %square = arith.mulf %sin, %sin : $T
  %lost = arith.mulf %square, %two : $T
  %main = arith.mulf %e, %cos : $T
  %near = arith.subf %main, %lost : $T
  %far = arith.subf %x, %one : $T
  %is_far = arith.cmpf ogt, %a, %one : $T
  %at_zero = arith.cmpf oeq, %a, %minus_inf : $T
  %use_far = arith.ori %is_far, %at_zero : i1
  %re = arith.select %use_far, %far, %near : $T
  return %re, %y : $T, $T
}

// log |a + bi|: by log1p where |a + bi| is near 1.
func.func @log_abs(%a: $T, %b: $T) -> $T {
  %half = arith.constant 0.5 : $T
  %one = arith.constant 1.0 : $T
  %two = arith.constant 2.0 : $T
  %inf = arith.constant $INF : $T
  %x = math.absf %a : $T
  %y = math.absf %b : $T
  %m = arith.maximumf %x, %y : $T
  %n = arith.minimumf %x, %y : $T
  %p, %q, %sum, %s, %l = func.call @squares(%a, %b) : ($T, $T) -> ($T, $T, $T, $T, $T)
  %log = math.log %sum : $T
  %l0 = arith.mulf %log, %half : $T
  %far = arith.subf %l0, %l : $T
  %m0 = arith.subf %m, %one : $T
  %m1 = arith.addf %m, %one : $T
  %mm = arith.mulf %m0, %m1 : $T
  %nn = arith.mulf %n, %n : $T
  %t = arith.addf %mm, %nn : $T
  %log1p = math.log1p %t : $T
  %near = arith.mulf %log1p, %half : $T
  %above = arith.cmpf ogt, %m, %half : $T
  %below = arith.cmpf olt, %m, %two : $T
  %is_near = arith.andi %above, %below : i1
  %r = arith.select %is_near, %near, %far : $T
  %special = func.call @any_infinite(%a, %b) : ($T, $T) -> i1
  %result = arith.select %special, %inf, %r : $T
  return %result : $T
}

func.func @log(%a: $T, %b: $T) -> ($T, $T) {
  %re = func.call @log_abs(%a, %b) : ($T, $T) -> $T
  %im = math.atan2 %b, %a : $T
  return %re, %im : $T, $T
}

// |1 + z|^2 - 1 = a (2 + a) + b^2.
func.func @log1p(%a: $T, %b: $T) -> ($T, $T) {
  %half = arith.constant 0.5 : $T
  %one = arith.constant 1.0 : $T
  %two = arith.constant 2.0 : $T
  %c = arith.addf %a, %one : $T
  %far = func.call @log_abs(%c, %b) : ($T, $T) -> $T
  %a2 = arith.addf %a, %two : $T
  %aa = arith.mulf %a, %a2 : $T
  %bb = arith.mulf %b, %b : $T
  %t = arith.addf %aa, %bb : $T
  %log1p = math.log1p %t : $T
  %near = arith.mulf %log1p, %half : $T
  %x = math.absf %a : $T
  %y = math.absf %b : $T
  %m = arith.maximumf %x, %y : $T
  %is_near = arith.cmpf olt, %m, %half : $T
  %re = arith.select %is_near, %near, %far : $T
  %im = math.atan2 %b, %c : $T
  return %re, %im : $T, $T
}

// With t = sqrt((|a| + |z|) / 2): t + b/2t i, or |b|/2t +- t i for a < 0.
func.func @sqrt(%a: $T, %b: $T) -> ($T, $T) {
  %zero = arith.constant 0.0 : $T
  %half = arith.constant 0.5 : $T
  %one = arith.constant 1.0 : $T
  %inf = arith.constant $INF : $T
  %big = arith.constant $BIG : $T
  %small = arith.constant $SMALL : $T
  %down = arith.constant $DOWN : $T
  %up = arith.constant $UP : $T
  %root_down = arith.constant $ROOT_DOWN : $T
  %root_up = arith.constant $ROOT_UP : $T
  %x0 = math.absf %a : $T
  %y0 = math.absf %b : $T
  %m = arith.maximumf %x0, %y0 : $T
  %is_big = arith.cmpf ogt, %m, %big : $T
  %is_small = arith.cmpf olt, %m, %small : $T
  %s0 = arith.select %is_small, %up, %one : $T
  %s = arith.select %is_big, %down, %s0 : $T
  %r0 = arith.select %is_small, %root_up, %one : $T
  %root = arith.select %is_big, %root_down, %r0 : $T
  %x = arith.mulf %x0, %s : $T
  %y = arith.mulf %b, %s : $T
  %xx = arith.mulf %x, %x : $T
  %yy = arith.mulf %y, %y : $T
  %sum = arith.addf %xx, %yy : $T
  %abs = math.sqrt %sum : $T
  %twice = arith.addf %x, %abs : $T
  %square = arith.mulf %twice, %half : $T
  %t = math.sqrt %square : $T
  %t2 = arith.addf %t, %t : $T
  %u = arith.divf %y, %t2 : $T
  %tr = arith.divf %t, %root : $T
  %ur = arith.divf %u, %root : $T
  %ua = math.absf %ur : $T
  %ts = math.copysign %tr, %b : $T
  %left = arith.cmpf olt, %a, %zero : $T
  %re0 = arith.select %left, %ua, %tr : $T
  %im0 = arith.select %left, %ts, %ur : $T
  %none = arith.cmpf oeq, %m, %zero : $T
  %re1 = arith.select %none, %zero, %re0 : $T
  %im1 = arith.select %none, %b, %im0 : $T
  // Infinite parts: the sum of squares is NaN where the other part is.
  %b_inf = arith.cmpf oeq, %y0, %inf : $T
  %a_inf = arith.cmpf oeq, %x0, %inf : $T
  %nothing = arith.subf %b, %b : $T
  %plain = math.absf %nothing : $T
  %flat = math.copysign %plain, %b : $T
  %upright = math.copysign %inf, %b : $T
  %re2 = arith.select %left, %plain, %inf : $T
  %im2 = arith.select %left, %upright, %flat : $T
  %re3 = arith.select %a_inf, %re2, %re1 : $T
  %im3 = arith.select %a_inf, %im2, %im1 : $T
  %re = arith.select %b_inf, %inf, %re3 : $T
  %im = arith.select %b_inf, %b, %im3 : $T
  return %re, %im : $T, $T
}

func.func @rsqrt(%a: $T, %b: $T) -> ($T, $T) {
  %one = arith.constant 1.0 : $T
  %zero = arith.constant 0.0 : $T
  %x, %y = func.call @sqrt(%a, %b) : ($T, $T) -> ($T, $T)
  %re, %im = func.call @div(%one, %zero, %x, %y) : ($T, $T, $T, $T) -> ($T, $T)
  return %re, %im : $T, $T
}

func.func @mul(%a: $T, %b: $T, %c: $T, %d: $T) -> ($T, $T) {
  %ac = arith.mulf %a, %c : $T
  %bd = arith.mulf %b, %d : $T
  %re = arith.subf %ac, %bd : $T
  %ad = arith.mulf %a, %d : $T
  %bc = arith.mulf %b, %c : $T
  %im = arith.addf %bc, %ad : $T
  return %re, %im : $T, $T
}

// Factor that brings the larger of two absolute values away from overflow and underflow.
func.func @ease(%a: $T, %b: $T) -> $T {
  %one = arith.constant 1.0 : $T
  %half = arith.constant 0.5 : $T
  %huge = arith.constant $HUGE : $T
  %tiny = arith.constant $TINY : $T
  %lift = arith.constant $LIFT : $T
  %x = math.absf %a : $T
  %y = math.absf %b : $T
  %m = arith.maximumf %x, %y : $T
  %is_huge = arith.cmpf oge, %m, %huge : $T
  %is_tiny = arith.cmpf ole, %m, %tiny : $T
  %s0 = arith.select %is_tiny, %lift, %one : $T
  %s = arith.select %is_huge, %half, %s0 : $T
  return %s : $T
}

// M. Baudin and R. Smith, "A robust complex division in Scilab", 2012.
func.func @div(%a0: $T, %b0: $T, %c0: $T, %d0: $T) -> ($T, $T) {
  %zero = arith.constant 0.0 : $T
  %s = func.call @ease(%a0, %b0) : ($T, $T) -> $T
  %t = func.call @ease(%c0, %d0) : ($T, $T) -> $T
  %a = arith.mulf %a0, %s : $T
  %b = arith.mulf %b0, %s : $T
  %c = arith.mulf %c0, %t : $T
  %d = arith.mulf %d0, %t : $T
  %x = math.absf %c : $T
  %y = math.absf %d : $T
  %wide = arith.cmpf oge, %x, %y : $T
  %p = arith.select %wide, %c, %d : $T
  %q = arith.select %wide, %d, %c : $T
  %u = arith.select %wide, %a, %b : $T
  %v = arith.select %wide, %b, %a : $T
  %r = arith.divf %q, %p : $T
  %qr = arith.mulf %q, %r : $T
  %den = arith.addf %p, %qr : $T
  // Where q/p underflows, v/p does not.
  %gone = arith.cmpf oeq, %r, %zero : $T
  %vp = arith.divf %v, %p : $T
  %up = arith.divf %u, %p : $T
  %vr0 = arith.mulf %v, %r : $T
  %ur0 = arith.mulf %u, %r : $T
  %vr1 = arith.mulf %q, %vp : $T
  %ur1 = arith.mulf %q, %up : $T
  %vr = arith.select %gone, %vr1, %vr0 : $T
  %ur = arith.select %gone, %ur1, %ur0 : $T
  %n0 = arith.addf %u, %vr : $T
  %n1 = arith.subf %v, %ur : $T
  %e0 = arith.divf %n0, %den : $T
  %f0 = arith.divf %n1, %den : $T
  %minus_f0 = arith.negf %f0 : $T
  %f1 = arith.select %wide, %f0, %minus_f0 : $T
  // The quotient is that of the scaled numbers times t / s.
  %e1 = arith.mulf %e0, %t : $T
  %f2 = arith.mulf %f1, %t : $T
  %e5 = arith.divf %e1, %s : $T
  %f6 = arith.divf %f2, %s : $T
  %re, %im = func.call @div_special(%a0, %b0, %c0, %d0, %e5, %f6) : ($T, $T, $T, $T, $T, $T) -> ($T, $T)
  return %re, %im : $T, $T
}

// 1 for an infinite number and 0 for another, with its sign.
func.func @box(%a: $T) -> $T {
  %zero = arith.constant 0.0 : $T
  %one = arith.constant 1.0 : $T
  %inf = arith.constant $INF : $T
  %x = math.absf %a : $T
  %i = arith.cmpf oeq, %x, %inf : $T
  %m = arith.select %i, %one, %zero : $T
  %r = math.copysign %m, %a : $T
  return %r : $T
}

// C17, G.5.1: quotients of infinities and zeros that come out as NaN.
func.func @div_special(%a: $T, %b: $T, %c: $T, %d: $T, %x: $T, %y: $T) -> ($T, $T) {
  %zero = arith.constant 0.0 : $T
  %inf = arith.constant $INF : $T
  %x_nan = arith.cmpf uno, %x, %x : $T
  %y_nan = arith.cmpf uno, %y, %y : $T
  %lost = arith.andi %x_nan, %y_nan : i1
  %a_finite = func.call @finite(%a) : ($T) -> i1
  %b_finite = func.call @finite(%b) : ($T) -> i1
  %c_finite = func.call @finite(%c) : ($T) -> i1
  %d_finite = func.call @finite(%d) : ($T) -> i1
  %n_finite = arith.andi %a_finite, %b_finite : i1
  %m_finite = arith.andi %c_finite, %d_finite : i1
  %n_inf = func.call @any_infinite(%a, %b) : ($T, $T) -> i1
  %m_inf = func.call @any_infinite(%c, %d) : ($T, $T) -> i1
  %ab = func.call @box(%a) : ($T) -> $T
  %bb = func.call @box(%b) : ($T) -> $T
  %cb = func.call @box(%c) : ($T) -> $T
  %db = func.call @box(%d) : ($T) -> $T
  // Infinite by finite.
  %0 = arith.mulf %ab, %c : $T
  %1 = arith.mulf %bb, %d : $T
  %2 = arith.addf %0, %1 : $T
  %3 = arith.mulf %bb, %c : $T
  %4 = arith.mulf %ab, %d : $T
  %5 = arith.subf %3, %4 : $T
  %x1 = arith.mulf %2, %inf : $T
  %y1 = arith.mulf %5, %inf : $T
  // Finite by infinite.
  %6 = arith.mulf %a, %cb : $T
  %7 = arith.mulf %b, %db : $T
  %8 = arith.addf %6, %7 : $T
  %9 = arith.mulf %b, %cb : $T
  %10 = arith.mulf %a, %db : $T
  %11 = arith.subf %9, %10 : $T
  %x2 = arith.mulf %8, %zero : $T
  %y2 = arith.mulf %11, %zero : $T
  // By zero.
  %c_zero = arith.cmpf oeq, %c, %zero : $T
  %d_zero = arith.cmpf oeq, %d, %zero : $T
  %by_zero = arith.andi %c_zero, %d_zero : i1
  %pole = math.copysign %inf, %c : $T
  %x3 = arith.mulf %pole, %a : $T
  %y3 = arith.mulf %pole, %b : $T
  %vanishes = arith.andi %n_finite, %m_inf : i1
  %infinite = arith.andi %n_inf, %m_finite : i1
  %x4 = arith.select %vanishes, %x2, %x : $T
  %y4 = arith.select %vanishes, %y2, %y : $T
  %x5 = arith.select %infinite, %x1, %x4 : $T
  %y5 = arith.select %infinite, %y1, %y4 : $T
  %x6 = arith.select %by_zero, %x3, %x5 : $T
  %y6 = arith.select %by_zero, %y3, %y5 : $T
  %re = arith.select %lost, %x6, %x : $T
  %im = arith.select %lost, %y6, %y : $T
  return %re, %im : $T, $T
}
