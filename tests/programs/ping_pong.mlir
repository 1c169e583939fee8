// Two arrays that change roles each step: carried by scf.for, and chosen by
// arith.select. Each name may stand for either array.
//     seven times:   next[i] = cur[i - 1] + cur[i] + cur[i + 1] for 1 <= i < 39;  swap(cur, next)
//     then  (choose ? a : b)[i] = -1 for i = 0

func.func @ping_pong(%a: memref<40xi32>, %b: memref<40xi32>, %choose: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %minus = arith.constant -1 : i32
  %end:2 = scf.for %t = %c0 to %c7 step %c1 iter_args(%cur = %a, %next = %b) -> (memref<40xi32>, memref<40xi32>) {
    affine.for %i = 1 to 39 {
      %x = affine.load %cur[%i - 1] : memref<40xi32>
      %y = affine.load %cur[%i] : memref<40xi32>
      %z = affine.load %cur[%i + 1] : memref<40xi32>
      %xy = arith.addi %x, %y : i32
      %xyz = arith.addi %xy, %z : i32
      affine.store %xyz, %next[%i] : memref<40xi32>
    }
    scf.yield %next, %cur : memref<40xi32>, memref<40xi32>
  }
  %one_of = arith.select %choose, %a, %b : memref<40xi32>
  memref.store %minus, %one_of[%c0] : memref<40xi32>
  return
}
