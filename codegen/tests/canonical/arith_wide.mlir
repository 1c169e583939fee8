// test: canonical
func.func @sums() -> (i128, i128, i128, i256) {
  %a = arith.constant 170141183460469231731687303715884105727 : i128
  %b = arith.constant -3 : i128
  %0 = arith.addi %a, %b : i128
  %1 = arith.subi %b, %a : i128
  %2 = arith.muli %a, %b : i128
  %c = arith.constant 115792089237316195423570985008687907853269984665640564039457584007913129639935 : i256
  %3 = arith.addi %c, %c : i256
  return %0, %1, %2, %3 : i128, i128, i128, i256
}

func.func @quotients() -> (i128, i128, i128, i128, i128, i128, i128) {
  %a = arith.constant -170141183460469231731687303715884105 : i128
  %b = arith.constant 1000000007 : i128
  %0 = arith.divsi %a, %b : i128
  %1 = arith.remsi %a, %b : i128
  %2 = arith.divui %a, %b : i128
  %3 = arith.remui %a, %b : i128
  %4 = arith.ceildivsi %a, %b : i128
  %5 = arith.floordivsi %a, %b : i128
  %6 = arith.ceildivui %a, %b : i128
  return %0, %1, %2, %3, %4, %5, %6 : i128, i128, i128, i128, i128, i128, i128
}

func.func @undefined() -> (i128, i128, i128) {
  %a = arith.constant -170141183460469231731687303715884105728 : i128
  %m = arith.constant -1 : i128
  %z = arith.constant 0 : i128
  %s = arith.constant 128 : i128
  %0 = arith.divsi %a, %m : i128
  %1 = arith.remui %a, %z : i128
  %2 = arith.shli %a, %s : i128
  return %0, %1, %2 : i128, i128, i128
}

func.func @bits() -> (i100, i100, i100, i100, i100, i100) {
  %a = arith.constant -633825300114114700748351602688 : i100
  %b = arith.constant 77 : i100
  %0 = arith.andi %a, %b : i100
  %1 = arith.ori %a, %b : i100
  %2 = arith.xori %a, %b : i100
  %3 = arith.shrsi %a, %b : i100
  %4 = arith.shrui %a, %b : i100
  %5 = arith.shli %b, %b : i100
  return %0, %1, %2, %3, %4, %5 : i100, i100, i100, i100, i100, i100
}

func.func @comparisons() -> (i1, i1, i1, i128, i128) {
  %a = arith.constant -1 : i128
  %b = arith.constant 1 : i128
  %0 = arith.cmpi slt, %a, %b : i128
  %1 = arith.cmpi ult, %a, %b : i128
  %2 = arith.cmpi eq, %a, %b : i128
  %3 = arith.maxsi %a, %b : i128
  %4 = arith.maxui %a, %b : i128
  return %0, %1, %2, %3, %4 : i1, i1, i1, i128, i128
}

func.func @conversions() -> (i128, i128, i64, i100, index) {
  %a = arith.constant -5 : i64
  %0 = arith.extsi %a : i64 to i128
  %1 = arith.extui %a : i64 to i128
  %b = arith.constant 36893488147419103231 : i128
  %2 = arith.trunci %b : i128 to i64
  %3 = arith.trunci %b : i128 to i100
  %4 = arith.index_cast %b : i128 to index
  return %0, %1, %2, %3, %4 : i128, i128, i64, i100, index
}

func.func @identities(%x: i128) -> (i128, i128, i128, i128, i128, i128, i128) {
  %z = arith.constant 0 : i128
  %o = arith.constant 1 : i128
  %m = arith.constant -1 : i128
  %0 = arith.addi %x, %z : i128
  %1 = arith.subi %x, %x : i128
  %2 = arith.muli %x, %o : i128
  %3 = arith.andi %x, %m : i128
  %4 = arith.ori %x, %z : i128
  %5 = arith.xori %x, %x : i128
  %6 = arith.muli %x, %z : i128
  return %0, %1, %2, %3, %4, %5, %6 : i128, i128, i128, i128, i128, i128, i128
}
