// test: opt --raise-to-affine
// test: run-opt --arg=iota[5] --arg=zeros[7]
// test: run-opt --arg=iota[3] --arg=zeros[0]

// A bound that is the size of what a raised loop results in.
func.func @last(%a: memref<?xi32>, %b: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a, %y = %b) -> (memref<?xi32>, memref<?xi32>) {
    scf.yield %y, %x : memref<?xi32>, memref<?xi32>
  }
  %n = memref.dim %r#0, %c0 : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %v = arith.index_cast %i : index to i32
    memref.store %v, %r#0[%i] : memref<?xi32>
  }
  return
}
