// Every loop gets a verdict: what becomes a kernel, what its threads run, what stays on the host.
//
// test: error compile --remarks
// exit: 0
// remark: 16:3: this loop becomes a kernel: each thread runs one of its iterations
// remark: 17:5: each thread of the kernel runs this loop, one iteration after the other: each iteration needs the result of the previous one
// remark: 24:3: this loop nest becomes a kernel with a grid of 2 dimensions
// remark: 31:3: this loop nest runs on the host: it is a reduction that is too short for a kernel
// remark: 37:8: this loop runs on the host: its trip count is not known in advance
// remark: 52:3: the loop that this branch closes stays in cf: it has several entries
// remark: 52:3: the loop that this branch closes runs on the host: control flow between basic blocks is not mapped to kernels
func.func @f(%x: memref<16x64xf32>, %y: memref<16xf32>, %s: memref<f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 64 {
      %v = affine.load %x[%i, %j] : memref<16x64xf32>
      %w = affine.load %y[%i] : memref<16xf32>
      %t = arith.addf %v, %w : f32
      affine.store %t, %y[%i] : memref<16xf32>
    }
  }
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 64 {
      %v = affine.load %x[%i, %j] : memref<16x64xf32>
      %t = arith.addf %v, %v : f32
      affine.store %t, %x[%i, %j] : memref<16x64xf32>
    }
  }
  affine.for %i = 0 to 16 {
    %v = affine.load %y[%i] : memref<16xf32>
    %w = affine.load %s[] : memref<f32>
    %t = arith.addf %v, %w : f32
    affine.store %t, %s[] : memref<f32>
  }
  %r = scf.while (%k = %c0) : (index) -> index {
    %v = memref.load %y[%k] : memref<16xf32>
    %zero = arith.constant 0.0 : f32
    %c = arith.cmpf olt, %v, %zero : f32
    scf.condition(%c) %k : index
  } do {
  ^bb0(%k: index):
    %q = arith.addi %k, %c1 : index
    scf.yield %q : index
  }
  %f = arith.cmpi eq, %r, %n : index
  cf.cond_br %f, ^body(%r : index), ^head(%r : index)
^head(%k: index):
  %q = arith.addi %k, %c1 : index
  %c = arith.cmpi slt, %q, %c9 : index
  cf.cond_br %c, ^body(%q : index), ^exit
^body(%b: index):
  %d = arith.cmpi eq, %b, %n : index
  cf.cond_br %d, ^exit, ^head(%b : index)
^exit:
  return
}
