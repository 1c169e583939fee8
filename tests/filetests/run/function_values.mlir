// Calls through values that name functions, and a function that calls itself.
//
// test: run --entry=main --arg=7 --arg=3
// expect: result 0 = 5040
// expect: result 1 = 6
// expect: result 2 = 21
func.func private @factorial(%n: i64) -> i64 {
  %c1 = arith.constant 1 : i64
  %done = arith.cmpi sle, %n, %c1 : i64
  %r = scf.if %done -> (i64) {
    scf.yield %c1 : i64
  } else {
    %less = arith.subi %n, %c1 : i64
    %inner = func.call @factorial(%less) : (i64) -> i64
    %product = arith.muli %n, %inner : i64
    scf.yield %product : i64
  }
  return %r : i64
}
func.func private @triple(%n: i64) -> i64 {
  %c3 = arith.constant 3 : i64
  %r = arith.muli %n, %c3 : i64
  return %r : i64
}
func.func @main(%n: i64, %m: i64) -> (i64, i64, i64) {
  %f = func.constant @factorial : (i64) -> i64
  %g = func.constant @triple : (i64) -> i64
  %small = arith.cmpi slt, %m, %n : i64
  %chosen = arith.select %small, %f, %g : (i64) -> i64
  %x = func.call_indirect %f(%n) : (i64) -> i64
  %y = func.call_indirect %chosen(%m) : (i64) -> i64
  %z = func.call_indirect %g(%n) : (i64) -> i64
  return %x, %y, %z : i64, i64, i64
}
