// A launch names a global: its kernel is given it as an argument.
//
// test: run --arg=zeros
// expect: arg 0 = [10, 20, 30, 40]
memref.global constant @table : memref<4xi32> = dense<[10, 20, 30, 40]>
func.func @f(%out: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {
    %t = memref.get_global @table : memref<4xi32>
    %v = memref.load %t[%tx] : memref<4xi32>
    memref.store %v, %out[%tx] : memref<4xi32>
    gpu.terminator
  }
  return
}
