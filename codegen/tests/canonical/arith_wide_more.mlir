// test: canonical
// Integers that no register holds: one operand that decides, and conversions.

func.func @least_and_greatest(%x: i100) -> (i100, i100, i100, i100, i100, i100, i100, i100) {
  %zero = arith.constant 0 : i100
  %ones = arith.constant -1 : i100
  %least = arith.constant -633825300114114700748351602688 : i100
  %most = arith.constant 633825300114114700748351602687 : i100
  %a = arith.maxui %x, %zero : i100
  %b = arith.maxui %x, %ones : i100
  %c = arith.minui %zero, %x : i100
  %d = arith.minui %ones, %x : i100
  %e = arith.maxsi %x, %least : i100
  %f = arith.maxsi %most, %x : i100
  %g = arith.minsi %x, %least : i100
  %h = arith.minsi %x, %most : i100
  return %a, %b, %c, %d, %e, %f, %g, %h : i100, i100, i100, i100, i100, i100, i100, i100
}

func.func @other_bounds(%x: i128) -> (i128, i128) {
  %ones = arith.constant -1 : i128
  %two = arith.constant 2 : i128
  %a = arith.maxsi %x, %ones : i128
  %b = arith.minui %x, %two : i128
  return %a, %b : i128, i128
}

func.func @by_one(%x: i128) -> (i128, i128, i128, i128, i128) {
  %one = arith.constant 1 : i128
  %a = arith.ceildivsi %x, %one : i128
  %b = arith.ceildivui %x, %one : i128
  %c = arith.floordivsi %x, %one : i128
  %d = arith.remsi %x, %one : i128
  %e = arith.remui %x, %one : i128
  return %a, %b, %c, %d, %e : i128, i128, i128, i128, i128
}

func.func @equal_operands(%x: i65) -> (i65, i65, i1, i1, i1, i1) {
  %a = arith.maxsi %x, %x : i65
  %b = arith.minui %x, %x : i65
  %c = arith.cmpi eq, %x, %x : i65
  %d = arith.cmpi slt, %x, %x : i65
  %e = arith.cmpi uge, %x, %x : i65
  %f = arith.cmpi ne, %x, %x : i65
  return %a, %b, %c, %d, %e, %f : i65, i65, i1, i1, i1, i1
}

func.func @rounded_up() -> (i128, i128) {
  %least = arith.constant -170141183460469231731687303715884105728 : i128
  %seven = arith.constant 7 : i128
  %a = arith.ceildivsi %least, %seven : i128
  %b = arith.ceildivui %least, %seven : i128
  return %a, %b : i128, i128
}

func.func @bits_counted() -> (i96, i96, i96, i96, i96) {
  %x = arith.constant -48 : i96
  %y = arith.constant 73786976294838206464 : i96
  %a = math.absi %x : i96
  %b = math.absi %y : i96
  %c = math.ctpop %x : i96
  %d = math.cttz %y : i96
  %e = math.ctlz %y : i96
  return %a, %b, %c, %d, %e : i96, i96, i96, i96, i96
}

func.func @from_floats() -> (i65, i96, i96, i128) {
  %x = arith.constant -3.75 : f32
  %y = arith.constant 36893488147419103232.0 : f64
  %z = arith.constant 0.5 : f16
  %a = arith.fptosi %x : f32 to i65
  %b = arith.fptosi %y : f64 to i96
  %c = arith.fptoui %y : f64 to i96
  %d = arith.fptoui %z : f16 to i128
  return %a, %b, %c, %d : i65, i96, i96, i128
}

func.func @no_room() -> (i65, i65) {
  %x = arith.constant -1.0 : f64
  %y = arith.constant 1.0e30 : f64
  %a = arith.fptoui %x : f64 to i65
  %b = arith.fptosi %y : f64 to i65
  return %a, %b : i65, i65
}

func.func @to_floats() -> (f32, f64, bf16, f64) {
  %x = arith.constant -48 : i96
  %y = arith.constant 9007199254740992 : i65
  %a = arith.sitofp %x : i96 to f32
  %b = arith.uitofp %y : i65 to f64
  %c = arith.sitofp %x : i96 to bf16
  %d = arith.sitofp %y : i65 to f64
  return %a, %b, %c, %d : f32, f64, bf16, f64
}
