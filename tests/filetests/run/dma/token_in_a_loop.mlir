// A token that a loop carries: each copy waits for the one before. The last is waited
// for behind the loop.
//
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [4, 0, 1, 2, 3]
func.func @f(%a: memref<5xi32>, %b: memref<5xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %first = gpu.wait async
  %last = scf.for %i = %c0 to %c5 step %c1 iter_args(%t = %first) -> (!gpu.async.token) {
    %next = arith.addi %i, %c1 : index
    %to = arith.remui %next, %c5 : index
    %source = memref.subview %a[%i] [1] [1] : memref<5xi32> to memref<1xi32, strided<[1], offset: ?>>
    %target = memref.subview %b[%to] [1] [1] : memref<5xi32> to memref<1xi32, strided<[1], offset: ?>>
    %u = gpu.memcpy async [%t] %target, %source : memref<1xi32, strided<[1], offset: ?>>, memref<1xi32, strided<[1], offset: ?>>
    scf.yield %u : !gpu.async.token
  }
  gpu.wait [%last]
  return
}
