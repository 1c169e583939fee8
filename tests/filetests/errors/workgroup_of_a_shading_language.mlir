// A workgroup of more threads than a shading language takes: the error is at the launch.
// test: error compile --emit=msl
// test: error compile --emit=hlsl
// error: 8:3: the kernel has 70001 threads along x, and the target guarantees 1024 only: launch more workgroups of fewer threads
func.func @main(%x: memref<70001xi32>) {
  %c1 = arith.constant 1 : index
  %n = arith.constant 70001 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    %c5 = arith.constant 5 : i32
    memref.store %c5, %x[%tx] : memref<70001xi32>
    gpu.terminator
  }
  return
}
