// test: canonical
func.func @no_bits(%x: i0, %y: i0) -> (i0, i0, i0, i32, i32, i0, i0, i0, i0) {
  %c = arith.constant 0 : i0
  %w = arith.constant 77 : i32
  %0 = arith.ori %c, %c : i0
  %1 = arith.trunci %w : i32 to i0
  %2 = arith.shrsi %c, %c : i0
  %3 = arith.extui %c : i0 to i32
  %4 = arith.extsi %c : i0 to i32
  %5:2 = arith.mulsi_extended %c, %c : i0
  %6 = arith.subi %x, %x : i0
  %7 = arith.addi %x, %y : i0
  return %0, %1, %2, %3, %4, %5#0, %5#1, %6, %7 : i0, i0, i0, i32, i32, i0, i0, i0, i0
}

func.func @exact_in_any_mode() -> (f16, f16, bf16, bf16, f8E5M2, vector<2xf16>, f32) {
  %a = arith.constant 2.75 : f32
  %b = arith.constant -96.0 : f64
  %v = arith.constant dense<[0.5, -6.0]> : vector<2xf64>
  %0 = arith.truncf %a upward : f32 to f16
  %1 = arith.truncf %a toward_zero : f32 to f16
  %2 = arith.truncf %b downward : f64 to bf16
  %3 = arith.truncf %b to_nearest_away : f64 to bf16
  %4 = arith.truncf %b upward : f64 to f8E5M2
  %5 = arith.truncf %v to_nearest_even : vector<2xf64> to vector<2xf16>
  %6 = arith.truncf %b : f64 to f32
  return %0, %1, %2, %3, %4, %5, %6 : f16, f16, bf16, bf16, f8E5M2, vector<2xf16>, f32
}

func.func @would_round() -> (f32, f16, bf16, f8E4M3FN, vector<2xf16>) {
  %a = arith.constant 0.3 : f64
  %b = arith.constant 2049.0 : f32
  %v = arith.constant dense<[0.5, 0.1]> : vector<2xf32>
  %0 = arith.truncf %a : f64 to f32
  %1 = arith.truncf %b upward : f32 to f16
  %2 = arith.truncf %b : f32 to bf16
  %3 = arith.truncf %b : f32 to f8E4M3FN
  %4 = arith.truncf %v : vector<2xf32> to vector<2xf16>
  return %0, %1, %2, %3, %4 : f32, f16, bf16, f8E4M3FN, vector<2xf16>
}

// promises: @unrounded: contract lets a rounding be left out
func.func @unrounded(%x: f32, %v: vector<4xf64>) -> (f32, f32, f32, vector<4xf64>) {
  %0 = arith.truncf %x fastmath<contract> : f32 to bf16
  %1 = arith.extf %0 fastmath<contract> : bf16 to f32
  %2 = arith.extf %0 : bf16 to f32
  %3 = arith.truncf %x : f32 to f16
  %4 = arith.extf %3 fastmath<fast> : f16 to f32
  %5 = arith.truncf %v fastmath<fast> : vector<4xf64> to vector<4xf32>
  %6 = arith.extf %5 fastmath<contract> : vector<4xf32> to vector<4xf64>
  return %1, %2, %4, %6 : f32, f32, f32, vector<4xf64>
}

func.func @extrema_of_zeros(%x: f32, %y: f64) -> (f32, f32, f32, f64, f32, f32, f32) {
  %p = arith.constant 0.0 : f32
  %n = arith.constant -0.0 : f32
  %z = arith.constant -0.0 : f64
  %nan = arith.constant 0x7FC00000 : f32
  %0 = arith.minnumf %p, %x : f32
  %1 = arith.maxnumf %n, %x : f32
  %2 = arith.maximumf %nan, %x : f32
  %3 = arith.minnumf %z, %y : f64
  %4 = arith.maxnumf %p, %n : f32
  %5 = arith.minnumf %p, %n : f32
  %6 = arith.minnumf %n, %p : f32
  return %0, %1, %2, %3, %4, %5, %6 : f32, f32, f32, f64, f32, f32, f32
}

func.func @extrema_of_small_zeros() -> (f16, bf16, f8E5M2) {
  %p = arith.constant 0.0 : f16
  %n = arith.constant -0.0 : f16
  %q = arith.constant 0.0 : bf16
  %m = arith.constant -0.0 : bf16
  %r = arith.constant 0.0 : f8E5M2
  %l = arith.constant -0.0 : f8E5M2
  %0 = arith.maxnumf %n, %p : f16
  %1 = arith.minnumf %q, %m : bf16
  %2 = arith.minnumf %r, %l : f8E5M2
  return %0, %1, %2 : f16, bf16, f8E5M2
}

func.func @poison_is_chosen(%x: i32) -> (i32, i32, i32) {
  %p = ub.poison : i32
  %t = arith.constant true
  %f = arith.constant false
  %0 = arith.select %t, %p, %x : i32
  %1 = arith.select %f, %p, %x : i32
  %2 = arith.select %f, %x, %p : i32
  return %0, %1, %2 : i32, i32, i32
}

func.func @wide_sums(%x: i100, %y: i300) -> (i100, i100, i300) {
  %a = arith.constant 633825300114114700748351602690 : i100
  %b = arith.constant -7 : i100
  %c = arith.constant 5 : i300
  %d = arith.constant 1606938044258990275541962092341162602522202993782792835301377 : i300
  %0 = arith.addi %x, %a : i100
  %1 = arith.subi %0, %b : i100
  %2 = arith.subi %a, %x : i100
  %3 = arith.subi %b, %2 : i100
  %4 = arith.muli %y, %c : i300
  %5 = arith.muli %4, %d : i300
  return %1, %3, %5 : i100, i100, i300
}

// promises: @without_overflow: nothing overflows
func.func @without_overflow(%x: i32, %y: i32) -> (i32, i32) {
  %0 = arith.subi %x, %y overflow<nsw, nuw> : i32
  %1 = arith.subi %0, %x overflow<nsw> : i32
  %2 = arith.subi %x, %y : i32
  %3 = arith.subi %2, %x overflow<nsw, nuw> : i32
  return %1, %3 : i32, i32
}

func.func @least_rounded_up() -> (i8, i16, i8, i32, vector<2xi8>, i8) {
  %a = arith.constant -128 : i8
  %b = arith.constant 9 : i8
  %c = arith.constant -32768 : i16
  %d = arith.constant -5 : i16
  %e = arith.constant -1000000 : i32
  %f = arith.constant 333 : i32
  %v = arith.constant dense<[-128, 40]> : vector<2xi8>
  %w = arith.constant dense<[3, 7]> : vector<2xi8>
  %0 = arith.ceildivsi %a, %b : i8
  %1 = arith.ceildivsi %c, %d : i16
  %2 = arith.ceildivsi %b, %a : i8
  %3 = arith.ceildivsi %e, %f : i32
  %4 = arith.ceildivsi %v, %w : vector<2xi8>
  %5 = arith.floordivsi %a, %b : i8
  return %0, %1, %2, %3, %4, %5 : i8, i16, i8, i32, vector<2xi8>, i8
}
