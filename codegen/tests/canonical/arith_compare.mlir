// test: canonical
func.func @comparisons(%x: i32, %y: i32, %b: i1) -> (i1, i1, i1, i1, i1, i1, i1, i1) {
  %c3 = arith.constant 3 : i32
  %true = arith.constant true
  %false = arith.constant false
  %0 = arith.cmpi slt, %c3, %x : i32
  %1 = arith.cmpi uge, %c3, %x : i32
  %2 = arith.cmpi sle, %x, %x : i32
  %3 = arith.cmpi ult, %x, %x : i32
  %4 = arith.cmpi ne, %b, %false : i1
  %5 = arith.cmpi eq, %b, %true : i1
  %6 = arith.cmpi slt, %x, %y : i32
  %7 = arith.xori %6, %true : i1
  %8 = arith.cmpi eq, %c3, %y : i32
  return %0, %1, %2, %3, %4, %5, %7, %8 : i1, i1, i1, i1, i1, i1, i1, i1
}

func.func @extended(%b: i1, %x: i8, %y: i8) -> (i1, i1, i1, i1, i1) {
  %c0 = arith.constant 0 : i32
  %e0 = arith.extui %b : i1 to i32
  %e1 = arith.extsi %b : i1 to i32
  %0 = arith.cmpi ne, %e0, %c0 : i32
  %1 = arith.cmpi ne, %c0, %e1 : i32
  %x0 = arith.extsi %x : i8 to i32
  %y0 = arith.extsi %y : i8 to i32
  %x1 = arith.extui %x : i8 to i32
  %y1 = arith.extui %y : i8 to i32
  %2 = arith.cmpi eq, %x0, %y0 : i32
  %3 = arith.cmpi ne, %x1, %y1 : i32
  %4 = arith.cmpi slt, %x0, %y0 : i32
  return %0, %1, %2, %3, %4 : i1, i1, i1, i1, i1
}

func.func @selects(%p: i1, %x: i32, %y: i32, %z: i32) -> (i32, i32, i1, i1, i32, i32, i32, i32, i32, i32) {
  %true = arith.constant true
  %false = arith.constant false
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %n = arith.xori %p, %true : i1
  %0 = arith.select %n, %x, %y : i32
  %i = arith.select %p, %y, %z : i32
  %1 = arith.select %p, %x, %i : i32
  %2 = arith.select %p, %true, %false : i1
  %3 = arith.select %p, %false, %true : i1
  %4 = arith.select %p, %c1, %c0 : i32
  %5 = arith.select %p, %c0, %c1 : i32
  %e = arith.cmpi eq, %x, %y : i32
  %6 = arith.select %e, %x, %y : i32
  %d = arith.cmpi ne, %x, %y : i32
  %7 = arith.select %d, %x, %y : i32
  %8 = arith.select %p, %x, %x : i32
  %9 = arith.select %true, %x, %y : i32
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : i32, i32, i1, i1, i32, i32, i32, i32, i32, i32
}

func.func @select_by_mask(%x: vector<2xi8>) -> vector<2xi8> {
  %m = arith.constant dense<[true, false]> : vector<2xi1>
  %a = arith.constant dense<[1, 2]> : vector<2xi8>
  %b = arith.constant dense<[3, 4]> : vector<2xi8>
  %0 = arith.select %m, %a, %b : vector<2xi1>, vector<2xi8>
  return %0 : vector<2xi8>
}

func.func @floats() -> (i1, i1, i1, i1) {
  %a = arith.constant 1.5 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %z = arith.constant 0.0 : f32
  %m = arith.constant -0.0 : f32
  %0 = arith.cmpf oeq, %z, %m : f32
  %1 = arith.cmpf uno, %a, %nan : f32
  %2 = arith.cmpf ult, %nan, %a : f32
  %3 = arith.cmpf olt, %a, %z : f32
  return %0, %1, %2, %3 : i1, i1, i1, i1
}

// differs: @floats_unasked: these predicates need no constants
func.func @floats_unasked(%x: f32, %y: f32) -> (i1, i1) {
  %0 = arith.cmpf true, %x, %y : f32
  %1 = arith.cmpf false, %x, %x : f32
  return %0, %1 : i1, i1
}
