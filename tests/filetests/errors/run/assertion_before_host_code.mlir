// The host waits for the assertions of a kernel: what relies on them, here a loop that would have no
// end, does not run where one fails.
//
// test: error run --device=llvmpipe --arg=iota --arg=zeros
// error: 12:5: assertion failed: steps are not 0
func.func @main(%x: memref<64xi32>, %y: memref<64xi32>) {
  %c0 = arith.constant 0 : i32
  %c100 = arith.constant 100 : i32
  affine.for %i = 0 to 64 {
    %step = affine.load %x[%i] : memref<64xi32>
    %ok = arith.cmpi ne, %step, %c0 : i32
    cf.assert %ok, "steps are not 0"
    affine.store %step, %y[%i] : memref<64xi32>
  }
  %step = affine.load %x[0] : memref<64xi32>
  %end = scf.while (%n = %c0) : (i32) -> i32 {
    %more = arith.cmpi slt, %n, %c100 : i32
    scf.condition(%more) %n : i32
  } do {
  ^bb0(%n: i32):
    %next = arith.addi %n, %step : i32
    scf.yield %next : i32
  }
  affine.store %end, %y[0] : memref<64xi32>
  return
}
