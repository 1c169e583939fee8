// On CPU drivers more than 1024 workgroups run several rounds each: a workgroup has neighbouring iterations.
//
// test: opt --convert-parallel-loops-to-gpu=target=cpu --canonicalize
// remark: 9:3: this loop becomes a kernel: each thread runs one or more of its iterations
func.func @open(%x: memref<?xf32>, %n: index, %step: index) {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2.0 : f32

  scf.parallel (%i) = (%c0) to (%n) step (%step) {
    memref.store %two, %x[%i] : memref<?xf32>
  }
  return
}
