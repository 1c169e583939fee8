// A workgroup has a row and shares its loops: no remark says that each thread runs all of them, nor that one combines what the
// threads have.
//
// test: error compile --remarks
// exit: 0
// remark: 13:3: each workgroup of this loop nest computes one iteration, shared by 32 threads
// remark: 13:3: this loop becomes a kernel: each workgroup runs one of its iterations
// remark: 14:10: the threads of the workgroup share the iterations of this loop
// remark: 19:5: the threads of the workgroup share the iterations of this loop
func.func @centre(%x: memref<512x64xi32>, %y: memref<512x64xi32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<512x64xi32>, memref<512x64xi32>
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 512 {
    %t = affine.for %j = 0 to 64 iter_args(%a = %zero) -> (i32) {
      %v = affine.load %0#0[%i, %j] : memref<512x64xi32>
      %n = arith.addi %a, %v : i32
      affine.yield %n : i32
    }
    affine.for %j = 0 to 64 {
      %v = affine.load %0#0[%i, %j] : memref<512x64xi32>
      %d = arith.subi %t, %v : i32
      affine.store %d, %0#1[%i, %j] : memref<512x64xi32>
    }
  }
  return
}
