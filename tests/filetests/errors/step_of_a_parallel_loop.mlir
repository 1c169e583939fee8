// A step that the arguments choose has to be positive, in kernels as on the host.
// test: error run --device=cpu --offload --no-specialize --arg=ones --arg=0
// test: error run --device=cpu --offload --no-specialize --arg=ones --arg=-1
// test: error run --device=cpu --offload --arg=ones --arg=0
// test: error run --device=cpu --offload --arg=ones --arg=-1
// error: 10:3: the loop step is not positive
func.func @main(%x: memref<8xf32>, %s: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%s) {
    %v = memref.load %x[%i] : memref<8xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %x[%i] : memref<8xf32>
  }
  return
}
