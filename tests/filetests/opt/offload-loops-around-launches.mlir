// A loop of the host around launches of the program's own is no nest that stays on the host.
//
// test: stages --offload
// remark: 9:3: this loop around one kernel runs on the host
func.func @main(%x: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %t = %c0 to %n step %c1 {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%nx = %c64, %ny = %c1, %nz = %c1) {
      %v = memref.load %x[%tx] : memref<64xf32>
      %twice = arith.addf %v, %v : f32
      memref.store %twice, %x[%tx] : memref<64xf32>
      gpu.terminator
    }
  }
  return
}
