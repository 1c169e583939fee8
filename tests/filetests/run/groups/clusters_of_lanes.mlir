// Sums of clusters of 8 neighbouring lanes, and of 4 lanes that lie 2 apart; of 36 threads, the last
// subgroup has 4.
// test: run --arg=iota[36] --arg=zeros[36] --arg=zeros[36]
// expect: arg 1 = [28, 28, 28, 28, 28, 28, 28, 28, 92, 92, 92, 92, 92, 92, 92, 92, 156, 156, 156, 156, 156, 156, 156, 156, 220, 220, 220, 220, 220, 220, 220, 220, 134, 134, 134, 134]
// expect: arg 2 = [12, 16, 12, 16, 12, 16, 12, 16, 44, 48, 44, 48, 44, 48, 44, 48, 76, 80, 76, 80, 76, 80, 76, 80, 108, 112, 108, 112, 108, 112, 108, 112, 66, 68, 66, 68]
func.func @clusters(%a: memref<36xi32>, %near: memref<36xi32>, %apart: memref<36xi32>) {
  %c1 = arith.constant 1 : index
  %c36 = arith.constant 36 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c36, %sy = %c1, %sz = %c1) {
    %x = memref.load %a[%tx] : memref<36xi32>
    %s = gpu.subgroup_reduce add %x cluster(size = 8) : (i32) -> (i32)
    %t = gpu.subgroup_reduce add %x cluster(size = 4, stride = 2) : (i32) -> (i32)
    memref.store %s, %near[%tx] : memref<36xi32>
    memref.store %t, %apart[%tx] : memref<36xi32>
    gpu.terminator
  }
  return
}
