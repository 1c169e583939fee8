// The runner's clock goes on: a time is no earlier than the one before, and later than 2001, which is
// 10^9 seconds after 1970.
//
// test: run --arg=zeros
// expect: arg 0 = [1, 0]
func.func private @rtclock() -> f64
func.func @main(%seen: memref<2xi32>) {
  %first = call @rtclock() : () -> f64
  %second = call @rtclock() : () -> f64
  %is_later = arith.cmpf oge, %second, %first : f64
  %past = arith.constant 1.0e9 : f64
  %is_past = arith.cmpf olt, %first, %past : f64
  %a = arith.extui %is_later : i1 to i32
  %b = arith.extui %is_past : i1 to i32
  affine.store %a, %seen[0] : memref<2xi32>
  affine.store %b, %seen[1] : memref<2xi32>
  return
}
