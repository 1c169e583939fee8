// The inner loop counts away from its end, out of range from the second iteration on: a thread leaves it there, and the run says
// where, on a device as on the host.
//
// test: error run --device=llvmpipe --arg=iota --arg=zeros
// error: 17:12: kernel 'main_kernel0' reached outside a buffer 100 times, first here; such loads gave 0 and such stores were dropped
func.func @main(%a: memref<100x3xi32>, %o: memref<100xi32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  affine.for %i = 0 to 100 {
    %r:2 = scf.while (%j = %c0, %s = %c0) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi ne, %j, %c3 : i32
      scf.condition(%more) %j, %s : i32, i32
    } do {
    ^bb0(%j: i32, %s: i32):
      %x = arith.index_cast %j : i32 to index
      %v = memref.load %a[%i, %x] : memref<100x3xi32>
      %s1 = arith.addi %s, %v : i32
      %j1 = arith.subi %j, %c1 : i32
      scf.yield %j1, %s1 : i32, i32
    }
    affine.store %r#1, %o[%i] : memref<100xi32>
  }
  return
}
