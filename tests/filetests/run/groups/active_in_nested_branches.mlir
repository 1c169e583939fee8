// Collective operations in nested branches: those that are active in the inner branch are those of the outer one that
// take it, and behind it they are together again. Of 64 threads, threads 3 n enter the first branch, and in it the even ones add up
// their numbers with those of their subgroup, the odd ones find the greatest of the workgroup; then all of these add
// squares. The others from 20 on find the least of their subgroup. In the end, all threads of a subgroup add what they have in the second
// row. The values are Python's.
// test: run --arg=zeros
// expect: arg 0 = [[90, 0, 0, 63, 0, 0, 90, 0, 0, 63, 0, 0, 90, 0, 0, 63, 0, 0, 90, 0, 0, 63, 0, 0, 90, 0, 0, 63, 0, 0, 90, 0, 0, 63, 0, 0, 240, 0, 0, 63, 0, 0, 240, 0, 0, 63, 0, 0, 240, 0, 0, 63, 0, 0, 240, 0, 0, 63, 0, 0, 240, 0, 0, 63], [3465, 0, 0, 3465, 0, 0, 3465, 0, 0, 3465, 0, 0, 3465, 0, 0, 3465, 0, 0, 3465, 0, 0, 3465, 0, 0, 3465, 0, 0, 3465, 0, 0, 3465, 0, 0, 26334, 0, 0, 26334, 0, 0, 26334, 0, 0, 26334, 0, 0, 26334, 0, 0, 26334, 0, 0, 26334, 0, 0, 26334, 0, 0, 26334, 0, 0, 26334, 0, 0, 26334], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20, 0, 20, 20, 0, 20, 20, 0, 20, 20, 0, 20, 32, 0, 32, 32, 0, 32, 32, 0, 32, 32, 0, 32, 32, 0, 32, 32, 0, 32, 32, 0, 32, 32, 0, 32, 32, 0, 32, 32, 0, 32, 32, 0], [38115, 38115, 38115, 38115, 38115, 38115, 38115, 38115, 38115, 38115, 38115, 38115, 38115, 38115, 38115, 38115, 38115, 38115, 38115, 38115, 38115, 38115, 38115, 38115, 38115, 38115, 38115, 38115, 38115, 38115, 38115, 38115, 289674, 289674, 289674, 289674, 289674, 289674, 289674, 289674, 289674, 289674, 289674, 289674, 289674, 289674, 289674, 289674, 289674, 289674, 289674, 289674, 289674, 289674, 289674, 289674, 289674, 289674, 289674, 289674, 289674, 289674, 289674, 289674]]
func.func @main(%out: memref<4x64xi32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%t, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c20 = arith.constant 20 : index
    %zero = arith.constant 0 : i32
    %k = arith.index_cast %t : index to i32
    %third = arith.remui %t, %c3 : index
    %half = arith.remui %t, %c2 : index
    %a = arith.cmpi eq, %third, %c0 : index
    %b = arith.cmpi eq, %half, %c0 : index
    %squares = scf.if %a -> i32 {
      scf.if %b {
        %s = gpu.subgroup_reduce add %k : (i32) -> (i32)
        memref.store %s, %out[%c0, %t] : memref<4x64xi32>
      } else {
        %s = gpu.all_reduce maxsi %k {} : (i32) -> (i32)
        memref.store %s, %out[%c0, %t] : memref<4x64xi32>
      }
      %square = arith.muli %k, %k : i32
      %s = gpu.subgroup_reduce add %square : (i32) -> (i32)
      memref.store %s, %out[%c1, %t] : memref<4x64xi32>
      scf.yield %s : i32
    } else {
      %late = arith.cmpi uge, %t, %c20 : index
      scf.if %late {
        %s = gpu.subgroup_reduce minui %k : (i32) -> (i32)
        memref.store %s, %out[%c2, %t] : memref<4x64xi32>
      }
      scf.yield %zero : i32
    }
    %s = gpu.subgroup_reduce add %squares : (i32) -> (i32)
    memref.store %s, %out[%c3, %t] : memref<4x64xi32>
    gpu.terminator
  }
  return
}
