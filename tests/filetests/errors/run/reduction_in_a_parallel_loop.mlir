// A reduction in a parallel loop, whose iterations threads run in any order: they cannot be told apart where not all threads are in one.
//
// test: error run --device=cpu --arg=zeros
// error: 12:12: 7 of the 8 threads of the subgroup come to this operation together; in a parallel loop
func.func @in_parallel(%out: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%t, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1) {
    %i = arith.index_cast %t : index to i32
    scf.parallel (%k) = (%t) to (%c8) step (%c1) {
      %s = gpu.subgroup_reduce add %i : (i32) -> (i32)
      memref.store %s, %out[%k] : memref<8xi32>
    }
    gpu.terminator
  }
  return
}
