// test: canonical
func.func @absorbed(%x: i32, %y: i32) -> (i32, i32, i32, i32, i32, i32, i32) {
  %all = arith.constant -1 : i32
  %zero = arith.constant 0 : i32
  %0 = arith.andi %x, %all : i32
  %1 = arith.andi %x, %x : i32
  %n = arith.xori %x, %all : i32
  %2 = arith.andi %x, %n : i32
  %a = arith.andi %x, %y : i32
  %3 = arith.andi %x, %a : i32
  %4 = arith.ori %x, %n : i32
  %5 = arith.xori %n, %all : i32
  %o = arith.ori %x, %y : i32
  %6 = arith.ori %o, %y : i32
  return %0, %1, %2, %3, %4, %5, %6 : i32, i32, i32, i32, i32, i32, i32
}

func.func @constants(%x: i32, %y: i8) -> (i32, i32, i32, i32, i32) {
  %c255 = arith.constant 255 : i32
  %e = arith.extui %y : i8 to i32
  %0 = arith.andi %e, %c255 : i32
  %c7 = arith.constant 7 : i32
  %c3 = arith.constant 3 : i32
  %a = arith.andi %x, %c7 : i32
  %1 = arith.andi %a, %c3 : i32
  %o = arith.ori %x, %c7 : i32
  %2 = arith.ori %o, %c3 : i32
  %xx = arith.xori %x, %c7 : i32
  %3 = arith.xori %xx, %c3 : i32
  %4 = arith.xori %xx, %x : i32
  return %0, %1, %2, %3, %4 : i32, i32, i32, i32, i32
}

func.func @amounts(%x: i32) -> (i32, i32, i32, i32, i32, i32) {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c40 = arith.constant 40 : i32
  %0 = arith.shli %x, %c0 : i32
  %1 = arith.shrsi %x, %c0 : i32
  %2 = arith.shrui %x, %c0 : i32
  %a = arith.shli %x, %c3 : i32
  %3 = arith.shli %a, %c3 : i32
  %4 = arith.shli %x, %c40 : i32
  %5 = arith.shli %c0, %x : i32
  return %0, %1, %2, %3, %4, %5 : i32, i32, i32, i32, i32, i32
}

func.func @inverted(%x: i1, %y: i1) -> (i1, i1, i1) {
  %t = arith.constant true
  %n = arith.xori %x, %t : i1
  %m = arith.xori %y, %t : i1
  %0 = arith.andi %n, %m : i1
  %1 = arith.ori %n, %m : i1
  %2 = arith.xori %n, %m : i1
  return %0, %1, %2 : i1, i1, i1
}
