// test: error run --arg=7 --device=cpu
// error: 7:8: 'scf.for' of integers of more than 64 bits cannot be lowered: it counts in them
func.func @f(%n: i64) -> i64 {
  %zero = arith.constant 0 : i128
  %one = arith.constant 1 : i128
  %end = arith.extui %n : i64 to i128
  %s = scf.for %i = %zero to %end step %one iter_args(%t = %n) -> (i64) : i128 {
    scf.yield %t : i64
  }
  return %s : i64
}
