// test: opt "--pass-pipeline=builtin.module(raise-to-affine,affine-schedule{reverse(i#2); parallelize(i)},affine-schedule{in @two: parallelize(i#2)})"
// test: run-opt --entry=two --arg=random:1

// Loops of scf have names once they are raised; a later schedule numbers the loops anew.
func.func @two(%a: memref<2x8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %a[%c0, %i] : memref<2x8xi32>
    memref.store %x, %a[%c1, %i] : memref<2x8xi32>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %a[%c1, %i] : memref<2x8xi32>
    %y = arith.addi %x, %x : i32
    memref.store %y, %a[%c0, %i] : memref<2x8xi32>
  }
  return
}
