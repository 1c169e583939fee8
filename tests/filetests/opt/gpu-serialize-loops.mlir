// test: opt --gpu-serialize-loops
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%x: memref<8x?xf32>, %n: index, %sums: memref<8xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %zero = arith.constant 0.0 : f32
      %sum = scf.parallel (%i, %j) = (%c0, %c1) to (%c8, %n) step (%c1, %c2) init (%zero) -> f32 {
        %v = memref.load %x[%i, %j] : memref<8x?xf32>
        scf.reduce(%v : f32) {
        ^bb0(%a: f32, %b: f32):
          %s = arith.addf %a, %b : f32
          scf.reduce.return %s : f32
        }
      }
      scf.forall (%i) = (2) to (%n) step (3) {
        memref.store %sum, %sums[%i] : memref<8xf32>
      }
      gpu.return
    }
  }
  // Loops of the host stay as they are; those of a launch become a thread's.
  func.func @host(%x: memref<8xf32>) {
    %c1 = arith.constant 1 : index
    scf.forall (%i) in (8) {
      %v = memref.load %x[%i] : memref<8xf32>
      memref.store %v, %x[%i] : memref<8xf32>
    }
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      affine.parallel (%i) = (0) to (8) {
        %v = affine.load %x[%i] : memref<8xf32>
        affine.store %v, %x[%i] : memref<8xf32>
      }
      gpu.terminator
    }
    return
  }
}
