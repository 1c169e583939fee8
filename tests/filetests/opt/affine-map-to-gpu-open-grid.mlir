// test: opt --affine-map-to-gpu=target=cpu
// test: run-opt --entry=open --arg=iota[11] --arg=zeros[11]
// expect: arg 1 = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20]
// test: run-opt --entry=open --arg=iota[1029] --arg=zeros[1029]
// test: run-opt --entry=open --arg=iota[1024] --arg=zeros[1024]

// As many workgroups as the size takes, without a loop over them: a kernel on the CPU keeps all that a loop
// may change in memory around it. Each walks 1,024 iterations, so that its start costs little.
func.func @open(%x: memref<?xi32>, %y: memref<?xi32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<?xi32>, memref<?xi32>
  %c0 = arith.constant 0 : index
  %n = memref.dim %0#0, %c0 : memref<?xi32>
  affine.for %i = 0 to %n {
    %v = affine.load %0#0[%i] : memref<?xi32>
    %s = arith.addi %v, %v : i32
    affine.store %s, %0#1[%i] : memref<?xi32>
  }
  return
}
