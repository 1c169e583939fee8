// Each iteration calls a function that calls itself twice.
// test: run --arg=zeros
// expect: arg 0 = [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89]
func.func private @fib(%n: i32) -> i32 {
  %c2 = arith.constant 2 : i32
  %c1 = arith.constant 1 : i32
  %l = arith.cmpi slt, %n, %c2 : i32
  %r = scf.if %l -> i32 {
    scf.yield %n : i32 } else {
      %a = arith.subi %n, %c1 : i32
      %b = arith.subi %n, %c2 : i32
      %x = func.call @fib(%a) : (i32) -> i32
      %y = func.call @fib(%b) : (i32) -> i32
      %s = arith.addi %x, %y : i32
      scf.yield %s : i32
    }
    return %r : i32
  }
  func.func @recursion_in_a_loop(%o: memref<12xi32>) {
    affine.for %i = 0 to 12 {
      %n = arith.index_cast %i : index to i32
      %v = func.call @fib(%n) : (i32) -> i32
      affine.store %v, %o[%i] : memref<12xi32>
    }
    return
  }
