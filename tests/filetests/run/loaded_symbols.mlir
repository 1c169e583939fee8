// A loaded value stands for a symbol and varies all the same: every iteration may write the same element.
// test: run --arg=zeros --arg=zeros
// expect: arg 1 = [0, 8, 0, 0, 0, 0, 0, 0]
func.func @histogram(%bins: memref<8xindex>, %counts: memref<8xindex>) {
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to 8 {
    %bin = memref.load %bins[%i] : memref<8xindex>
    %at = affine.apply affine_map<()[s0] -> (s0 + 1)>()[%bin]
    %old = memref.load %counts[%at] : memref<8xindex>
    %new = arith.addi %old, %c1 : index
    memref.store %new, %counts[%at] : memref<8xindex>
  }
  return
}
