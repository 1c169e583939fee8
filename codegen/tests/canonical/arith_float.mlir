// test: canonical
func.func @identities(%x: f32, %v: vector<4xf16>) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, vector<4xf16>) {
  %z = arith.constant 0.0 : f32
  %m = arith.constant -0.0 : f32
  %one = arith.constant 1.0 : f32
  %inf = arith.constant 0x7F800000 : f32
  %minf = arith.constant 0xFF800000 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %0 = arith.addf %x, %m : f32
  %1 = arith.addf %x, %z : f32
  %2 = arith.subf %x, %z : f32
  %3 = arith.mulf %one, %x : f32
  %4 = arith.divf %x, %one : f32
  %5 = arith.maximumf %x, %minf : f32
  %6 = arith.minnumf %x, %nan : f32
  %n = arith.negf %x : f32
  %7 = arith.negf %n : f32
  %8 = arith.minimumf %x, %inf : f32
  %c = arith.constant dense<1.0> : vector<4xf16>
  %9 = arith.mulf %v, %c : vector<4xf16>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : f32, f32, f32, f32, f32, f32, f32, f32, f32, vector<4xf16>
}

func.func @strict(%x: f32) -> (f32, f32, f32) {
  %z = arith.constant 0.0 : f32
  %0 = arith.mulf %x, %z : f32
  %1 = arith.subf %x, %x : f32
  %2 = arith.divf %x, %x : f32
  return %0, %1, %2 : f32, f32, f32
}

// promises: @fast: the sign of a zero does not matter
func.func @fast(%x: f32) -> (f32, f32) {
  %z = arith.constant 0.0 : f32
  %0 = arith.mulf %x, %z fastmath<nnan,nsz> : f32
  %1 = arith.mulf %x, %z fastmath<nnan> : f32
  return %0, %1 : f32, f32
}

func.func @constants() -> (f32, f16, f64, f32, bf16, f32, f32, vector<2xf32>) {
  %a = arith.constant 0.1 : f32
  %b = arith.constant 0.2 : f32
  %0 = arith.addf %a, %b : f32
  %h = arith.constant 65504.0 : f16
  %1 = arith.addf %h, %h : f16
  %d = arith.constant 0.1 : f64
  %2 = arith.divf %d, %d : f64
  %t = arith.constant 1.0e-40 : f32
  %3 = arith.mulf %t, %a : f32
  %g = arith.constant 1.0e10 : bf16
  %4 = arith.mulf %g, %g : bf16
  %z = arith.constant 0.0 : f32
  %m = arith.constant -0.0 : f32
  %5 = arith.maximumf %m, %z : f32
  %7 = arith.constant 7.5 : f32
  %6 = arith.remf %7, %b : f32
  %v = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  %8 = arith.subf %v, %v : vector<2xf32>
  return %0, %1, %2, %3, %4, %5, %6, %8 : f32, f16, f64, f32, bf16, f32, f32, vector<2xf32>
}

func.func @negations(%x: f32, %y: f32) -> (f32, f32) {
  %a = arith.negf %x : f32
  %b = arith.negf %y : f32
  %0 = arith.mulf %a, %b : f32
  %1 = arith.divf %a, %b : f32
  return %0, %1 : f32, f32
}
