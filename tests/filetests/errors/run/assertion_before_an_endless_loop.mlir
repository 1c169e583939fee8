// A thread ends where its assertion fails: the loop behind it, which would have no end, does not run.
//
// test: error run --device=llvmpipe --arg=iota --arg=zeros
// error: 13:5: assertion failed: steps are not 0
func.func @main(%x: memref<64xi32>, %y: memref<64xi32>) {
  %c0 = arith.constant 0 : i32
  %c100 = arith.constant 100 : i32
  affine.for %i = 0 to 64 {
    %step = affine.load %x[%i] : memref<64xi32>
    %ok = arith.cmpi ne, %step, %c0 : i32
    // Does not hold for the first element, which the loop would add for ever.
    // An assertion is no hint: the program relies on it.
    cf.assert %ok, "steps are not 0"
    %end = scf.while (%n = %c0) : (i32) -> i32 {
      %more = arith.cmpi slt, %n, %c100 : i32
      scf.condition(%more) %n : i32
    } do {
    ^bb0(%n: i32):
      %next = arith.addi %n, %step : i32
      scf.yield %next : i32
    }
    affine.store %end, %y[%i] : memref<64xi32>
  }
  return
}
