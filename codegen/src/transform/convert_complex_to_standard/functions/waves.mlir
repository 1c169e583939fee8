// Sines, hyperbolic tangents, and powers.

// p cosh b and q sinh b, also where cosh b overflows.
func.func @times_cosh_sinh(%p: $T, %q: $T, %b: $T) -> ($T, $T) {
  %half = arith.constant 0.5 : $T
  %inf = arith.constant $INF : $T
  %cosh = math.cosh %b : $T
  %sinh = math.sinh %b : $T
  %x = math.absf %b : $T
  %x2 = arith.mulf %x, %half : $T
  %h = math.exp %x2 : $T
  %hh = arith.mulf %h, %half : $T
  %signed = math.copysign %hh, %b : $T
  %c0 = arith.mulf %p, %cosh : $T
  %s0 = arith.mulf %q, %sinh : $T
  %c1 = arith.mulf %p, %hh : $T
  %s1 = arith.mulf %q, %signed : $T
  %c2 = arith.mulf %c1, %h : $T
  %s2 = arith.mulf %s1, %h : $T
  %over = arith.cmpf oeq, %cosh, %inf : $T
  %c = arith.select %over, %c2, %c0 : $T
  %s = arith.select %over, %s2, %s0 : $T
  return %c, %s : $T, $T
}

func.func @sin(%a: $T, %b: $T) -> ($T, $T) {
  %zero = arith.constant 0.0 : $T
  %inf = arith.constant $INF : $T
  %sin = math.sin %a : $T
  %cos = math.cos %a : $T
  %re0, %im0 = func.call @times_cosh_sinh(%sin, %cos, %b) : ($T, $T, $T) -> ($T, $T)
  %a_zero = arith.cmpf oeq, %a, %zero : $T
  %re = arith.select %a_zero, %a, %re0 : $T
  %finite = func.call @finite(%a) : ($T) -> i1
  %true = arith.constant true
  %wild = arith.xori %finite, %true : i1
  %y = math.absf %b : $T
  %b_zero = arith.cmpf oeq, %b, %zero : $T
  %b_inf = arith.cmpf oeq, %y, %inf : $T
  %edge = arith.ori %b_zero, %b_inf : i1
  %special = arith.andi %wild, %edge : i1
  %im = arith.select %special, %b, %im0 : $T
  return %re, %im : $T, $T
}

func.func @cos(%a: $T, %b: $T) -> ($T, $T) {
  %zero = arith.constant 0.0 : $T
  %one = arith.constant 1.0 : $T
  %inf = arith.constant $INF : $T
  %sin = math.sin %a : $T
  %cos = math.cos %a : $T
  %minus = arith.negf %sin : $T
  %re0, %im0 = func.call @times_cosh_sinh(%cos, %minus, %b) : ($T, $T, $T) -> ($T, $T)
  %y = math.absf %b : $T
  %b_inf = arith.cmpf oeq, %y, %inf : $T
  %b_zero = arith.cmpf oeq, %b, %zero : $T
  %finite = func.call @finite(%a) : ($T) -> i1
  %true = arith.constant true
  %wild = arith.xori %finite, %true : i1
  %infinite = arith.andi %wild, %b_inf : i1
  %re = arith.select %infinite, %inf, %re0 : $T
  %flat = arith.andi %wild, %b_zero : i1
  %im1 = arith.select %flat, %zero, %im0 : $T
  %a_zero = arith.cmpf oeq, %a, %zero : $T
  %sign = math.copysign %one, %b : $T
  %nothing = arith.mulf %a, %sign : $T
  %none = arith.negf %nothing : $T
  %im = arith.select %a_zero, %none, %im1 : $T
  return %re, %im : $T, $T
}

// (sinh a cosh a + i sin b cos b) / (sinh^2 a + cos^2 b); for large |a|, sign(a) + 4 i sin b cos b e^-2|a|.
func.func @tanh(%a: $T, %b: $T) -> ($T, $T) {
  %zero = arith.constant 0.0 : $T
  %one = arith.constant 1.0 : $T
  %four = arith.constant 4.0 : $T
  %minus_two = arith.constant -2.0 : $T
  %inf = arith.constant $INF : $T
  %flat = arith.constant $FLAT : $T
  %x = math.absf %a : $T
  %is_far = arith.cmpf ogt, %x, %flat : $T
  // Kept small where it is not used, so that no product overflows.
  %near_a = arith.select %is_far, %one, %a : $T
  %sinh = math.sinh %near_a : $T
  %cosh = math.cosh %near_a : $T
  %sin = math.sin %b : $T
  %cos = math.cos %b : $T
  %ss = arith.mulf %sinh, %sinh : $T
  %cc = arith.mulf %cos, %cos : $T
  %den = arith.addf %ss, %cc : $T
  %sc = arith.mulf %sinh, %cosh : $T
  %turn = arith.mulf %sin, %cos : $T
  %re0 = arith.divf %sc, %den : $T
  %im0 = arith.divf %turn, %den : $T
  %re1 = math.copysign %one, %a : $T
  %x2 = arith.mulf %x, %minus_two : $T
  %e = math.exp %x2 : $T
  %e4 = arith.mulf %e, %four : $T
  %im1 = arith.mulf %turn, %e4 : $T
  %re = arith.select %is_far, %re1, %re0 : $T
  %im2 = arith.select %is_far, %im1, %im0 : $T
  %finite = func.call @finite(%b) : ($T) -> i1
  %true = arith.constant true
  %wild = arith.xori %finite, %true : i1
  %a_inf = arith.cmpf oeq, %x, %inf : $T
  %special = arith.andi %wild, %a_inf : i1
  %im3 = arith.select %special, %zero, %im2 : $T
  %b_zero = arith.cmpf oeq, %b, %zero : $T
  %im = arith.select %b_zero, %b, %im3 : $T
  return %re, %im : $T, $T
}

// tan z = -i tanh(iz).
func.func @tan(%a: $T, %b: $T) -> ($T, $T) {
  %minus_b = arith.negf %b : $T
  %p, %q = func.call @tanh(%minus_b, %a) : ($T, $T) -> ($T, $T)
  %im = arith.negf %p : $T
  return %q, %im : $T, $T
}

// |z|^c e^(-d arg z), turned by d log |z| + c arg z.
func.func @pow(%a: $T, %b: $T, %c: $T, %d: $T) -> ($T, $T) {
  %zero = arith.constant 0.0 : $T
  %one = arith.constant 1.0 : $T
  %abs = func.call @abs(%a, %b) : ($T, $T) -> $T
  %log = func.call @log_abs(%a, %b) : ($T, $T) -> $T
  %angle = math.atan2 %b, %a : $T
  %power = math.powf %abs, %c : $T
  %twist = arith.mulf %d, %angle : $T
  %minus = arith.negf %twist : $T
  %e = math.exp %minus : $T
  %rho = arith.mulf %power, %e : $T
  %dl = arith.mulf %d, %log : $T
  %ca = arith.mulf %c, %angle : $T
  %both = arith.addf %dl, %ca : $T
  %d_zero = arith.cmpf oeq, %d, %zero : $T
  %phase = arith.select %d_zero, %ca, %both : $T
  %cos = math.cos %phase : $T
  %sin = math.sin %phase : $T
  %x = arith.mulf %rho, %cos : $T
  %y = arith.mulf %rho, %sin : $T
  // 0^w is 0 where w has a positive real part; z^0 is 1.
  %none = arith.cmpf oeq, %abs, %zero : $T
  %grows = arith.cmpf ogt, %c, %zero : $T
  %vanishes = arith.andi %none, %grows : i1
  %c_zero = arith.cmpf oeq, %c, %zero : $T
  %unit = arith.andi %c_zero, %d_zero : i1
  %x1 = arith.select %vanishes, %zero, %x : $T
  %y1 = arith.select %vanishes, %zero, %y : $T
  %re = arith.select %unit, %one, %x1 : $T
  %im = arith.select %unit, %zero, %y1 : $T
  return %re, %im : $T, $T
}

// -i log((x + iy) / sqrt(x^2 + y^2)) for y = a + bi and x = c + di.
func.func @atan2(%a: $T, %b: $T, %c: $T, %d: $T) -> ($T, $T) {
  %yr, %yi = func.call @mul(%a, %b, %a, %b) : ($T, $T, $T, $T) -> ($T, $T)
  %xr, %xi = func.call @mul(%c, %d, %c, %d) : ($T, $T, $T, $T) -> ($T, $T)
  %sr = arith.addf %xr, %yr : $T
  %si = arith.addf %xi, %yi : $T
  %hr, %hi = func.call @sqrt(%sr, %si) : ($T, $T) -> ($T, $T)
  %nr = arith.subf %c, %b : $T
  %ni = arith.addf %d, %a : $T
  %qr, %qi = func.call @div(%nr, %ni, %hr, %hi) : ($T, $T, $T, $T) -> ($T, $T)
  %lr, %li = func.call @log(%qr, %qi) : ($T, $T) -> ($T, $T)
  %im = arith.negf %lr : $T
  return %li, %im : $T, $T
}

// A factor times a power of two of the base, for each bit of the exponent.
func.func @powi(%a: $T, %b: $T, %n: $I) -> ($T, $T) {
  %zero = arith.constant 0.0 : $T
  %one = arith.constant 1.0 : $T
  %none = arith.constant 0 : $I
  %unit = arith.constant 1 : $I
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %width = arith.constant $WIDTH : index
  %negative = arith.cmpi slt, %n, %none : $I
  %opposite = arith.subi %none, %n : $I
  %bits = arith.select %negative, %opposite, %n : $I
  %r:5 = scf.for %k = %c0 to %width step %c1
      iter_args(%x = %one, %y = %zero, %p = %a, %q = %b, %e = %bits) -> ($T, $T, $T, $T, $I) {
    %low = arith.andi %e, %unit : $I
    %takes = arith.cmpi ne, %low, %none : $I
    %xp = arith.mulf %x, %p : $T
    %yq = arith.mulf %y, %q : $T
    %xq = arith.mulf %x, %q : $T
    %yp = arith.mulf %y, %p : $T
    %u = arith.subf %xp, %yq : $T
    %v = arith.addf %yp, %xq : $T
    %x1 = arith.select %takes, %u, %x : $T
    %y1 = arith.select %takes, %v, %y : $T
    %pp = arith.mulf %p, %p : $T
    %qq = arith.mulf %q, %q : $T
    %pq = arith.mulf %p, %q : $T
    %p1 = arith.subf %pp, %qq : $T
    %q1 = arith.addf %pq, %pq : $T
    %e1 = arith.shrui %e, %unit : $I
    scf.yield %x1, %y1, %p1, %q1, %e1 : $T, $T, $T, $T, $I
  }
  %s, %t = func.call @div(%one, %zero, %r#0, %r#1) : ($T, $T, $T, $T) -> ($T, $T)
  %re = arith.select %negative, %s, %r#0 : $T
  %im = arith.select %negative, %t, %r#1 : $T
  return %re, %im : $T, $T
}
