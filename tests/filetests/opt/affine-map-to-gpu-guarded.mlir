// A branch that loads what it stores keeps iterations from being computed side by side: on CPU drivers a thread runs several, one
// after the other, so that workgroups cost little.
//
// test: opt --affine-map-to-gpu=target=cpu --canonicalize
func.func @add_partner(%x: memref<100003xi32>, %y: memref<100003xi32>) {
  %c0 = arith.constant 0 : index
  affine.parallel (%i) = (0) to (100003) {
    %c64 = arith.constant 64 : index
    %bit = arith.andi %i, %c64 : index
    %has_bit = arith.cmpi ne, %bit, %c0 : index
    scf.if %has_bit {
      %a = affine.load %x[%i] : memref<100003xi32>
      %b = affine.load %y[%i] : memref<100003xi32>
      %sum = arith.addi %a, %b : i32
      affine.store %sum, %x[%i] : memref<100003xi32>
    }
  }
  return
}
