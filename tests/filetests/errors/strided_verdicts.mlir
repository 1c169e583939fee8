// Loops whose steps are known only when the program runs become kernels, and nothing else is said of them; of one that
// stays, why it is no affine loop.
//
// test: error compile --emit=mlir --remarks
// exit: 0
// remark: 14:3: this loop becomes a kernel: each thread runs one of its iterations
// remark: 19:3: this loop becomes a kernel: each thread runs one of its iterations
// remark: 25:3: this loop runs on the host: its step is not a positive constant
func.func @f(%x: memref<?xf32>, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = arith.shli %c1, %k : index
  %m = arith.muli %s, %n : index
  scf.for %i = %c0 to %m step %s {
    %v = memref.load %x[%i] : memref<?xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %x[%i] : memref<?xf32>
  }
  scf.parallel (%i) = (%c0) to (%n) step (%k) {
    %v = memref.load %x[%i] : memref<?xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %x[%i] : memref<?xf32>
    scf.reduce
  }
  scf.for %i = %c0 to %n step %k {
    %v = memref.load %x[%i] : memref<?xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %x[%c0] : memref<?xf32>
  }
  return
}
