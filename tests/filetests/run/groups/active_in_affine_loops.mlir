// Affine control flow that lanes run differently: lanes 3, 4 and 5 of 6 add up their numbers, and lane t runs t mod 3 iterations of a loop, in which the
// lanes that are there add up theirs: 1 + 2 + 4 + 5 first, and 2 + 5 then.
// test: run --arg=zeros
// expect: arg 0 = [0, 12, 19, 12, 24, 31]
func.func @main(%o: memref<6xi32>) {
  %c1 = arith.constant 1 : index
  %n = arith.constant 6 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%t, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    %v = arith.index_cast %t : index to i32
    affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%t) {
      %s = gpu.subgroup_reduce add %v : (i32) -> (i32)
      affine.store %s, %o[%t] : memref<6xi32>
    }
    affine.for %i = 0 to affine_map<(d0) -> (d0 mod 3)>(%t) {
      %s = gpu.all_reduce add %v {} : (i32) -> (i32)
      %x = affine.load %o[%t] : memref<6xi32>
      %y = arith.addi %x, %s : i32
      affine.store %y, %o[%t] : memref<6xi32>
    }
    gpu.terminator
  }
  return
}
