// On CPU drivers a thread walks a span along an open x, so that workgroups cost little: what an x of few steps leaves of the span, it walks
// along y. 40 rows of 7 numbers take one step of 8 lanes each, and are shared by workgroups of two rows; five rows of 1,003 are walked one by
// one.
//
// test: opt --affine-mark-inbounds --affine-map-to-gpu=target=gathering-cpu --canonicalize --cse
// test: run-opt --arg=random:1[40x7] --arg=random:2[40x7]
// test: run-opt --arg=random:1[5x1003] --arg=random:2[5x1003]
// test: run-opt --arg=random:1[17x1] --arg=random:2[17x1]
// test: run-opt --arg=random:1[1x1] --arg=random:2[1x1]
// test: run-opt --arg=random:1[0x3] --arg=random:2[0x3]
func.func @add_larger(%x: memref<?x?xi32>, %y: memref<?x?xi32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<?x?xi32>, memref<?x?xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %x, %c0 : memref<?x?xi32>
  %columns = memref.dim %x, %c1 : memref<?x?xi32>
  affine.parallel (%i, %j) = (0, 0) to (%rows, %columns) {
    %a = affine.load %0#0[%i, %j] : memref<?x?xi32>
    %b = affine.load %0#1[%i, %j] : memref<?x?xi32>
    %is_larger = arith.cmpi sgt, %a, %b : i32
    scf.if %is_larger {
      %c = affine.load %0#1[%i, %j] : memref<?x?xi32>
      %sum = arith.addi %a, %c : i32
      affine.store %sum, %0#1[%i, %j] : memref<?x?xi32>
    }
  }
  return
}
