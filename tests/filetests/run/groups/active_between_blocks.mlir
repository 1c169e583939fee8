// Threads that come to an operation between blocks by different branches are together there, as long as no branch goes back: threads 0 to 3 add
// up to 6, the multiples of three among the others to 15, and both together to 21; the rest find their greatest.
// test: run --arg=zeros
// expect: arg 0 = [21, 21, 21, 21, 11, 11, 21, 11, 11, 21, 11, 11]
func.func @main(%out: memref<12xi32>) {
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%t, %ty, %tz) in (%sx = %c12, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %i = arith.index_cast %t : index to i32
    %low = arith.cmpi ult, %t, %c4 : index
    cf.cond_br %low, ^sum, ^high
  ^high:
    %third = arith.remui %t, %c3 : index
    %is_third = arith.cmpi eq, %third, %c0 : index
    cf.cond_br %is_third, ^sum, ^greatest
  ^greatest:
    %g = gpu.all_reduce maxsi %i {} : (i32) -> (i32)
    cf.br ^end(%g : i32)
  ^sum:
    %s = gpu.all_reduce add %i {} : (i32) -> (i32)
    cf.br ^end(%s : i32)
  ^end(%r: i32):
    memref.store %r, %out[%t] : memref<12xi32>
    gpu.terminator
  }
  return
}
