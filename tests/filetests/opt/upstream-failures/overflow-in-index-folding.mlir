// test: opt --canonicalize --affine-simplify-structures
// test: run-opt --arg=0
// expect: result 0 = -9223372036854775808
// expect: result 1 = 4611686018427387904
// expect: result 2 = -4
// Sums and products of indices wrap at 64 bits, and so do their folds: 2^63 - 1 + 1 is -2^63, 2^62 * 5 is 2^62
// and 2^62 * 2 / 2 is no 2^62, since the product wraps to -2^63 before it is divided by 2^61.
func.func @main(%x: index) -> (index, index, index) {
  %most = arith.constant 9223372036854775807 : index
  %one = arith.constant 1 : index
  %big = arith.constant 4611686018427387904 : index
  %five = arith.constant 5 : index
  %two = arith.constant 2 : index
  %eighth = arith.constant 2305843009213693952 : index
  %a = arith.addi %most, %one : index
  %b = arith.muli %big, %five : index
  %c = arith.muli %big, %two : index
  %d = arith.divsi %c, %eighth : index
  %r = arith.addi %a, %x : index
  %s = arith.addi %b, %x : index
  %t = arith.addi %d, %x : index
  return %r, %s, %t : index, index, index
}
