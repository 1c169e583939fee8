// How often each of 256 keys occurs among 4 Mi.
func.func @histogram(%keys: memref<4194304xi32>, %counts: memref<256xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 4194304 {
    %key = affine.load %keys[%i] : memref<4194304xi32>
    %at = arith.index_cast %key : i32 to index
    %count = memref.load %counts[%at] : memref<256xi32>
    %more = arith.addi %count, %one : i32
    memref.store %more, %counts[%at] : memref<256xi32>
  }
  return
}
