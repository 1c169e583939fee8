// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// What an entry block defines may be used in all blocks, those that never run included.

func.func @f(%c: i1, %x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  cf.cond_br %c, ^bb1, ^bb2(%0 : i32)
^bb1:
  %1 = scf.execute_region -> i32 {
    %2 = arith.muli %0, %x : i32
    cf.br ^bb4
  ^bb4:
    %3 = arith.muli %2, %0 : i32
    scf.yield %3 : i32
  }
  cf.br ^bb2(%1 : i32)
^bb2(%y: i32):
  %4 = arith.addi %y, %0 : i32
  return %4 : i32
^bb3:
  %5 = arith.addi %0, %x : i32
  return %5 : i32
}
