// test: opt --convert-parallel-loops-to-gpu
// remark: 11:3: this loop becomes a kernel: each thread runs one of its iterations
// remark: 27:5: this loop nest runs on the host: it has 'func.call', an operation without a lowering to kernels
// remark: 40:8: this loop nest runs on the host: it has results, which are reductions or tensors, and its bounds are not affine

// Two counters in open steps: adjacent threads take those of the last one. The loop inside is one of each
// thread.
func.func @open(%x: memref<?x?xf32>, %n: index, %m: index, %step: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%i, %j) = (%c1, %c1) to (%n, %m) step (%step, %c2) {
    scf.parallel (%k) = (%i) to (%j) step (%c1) {
      %a = memref.load %x[%i, %k] : memref<?x?xf32>
      memref.store %a, %x[%k, %j] : memref<?x?xf32>
    }
  }
  return
}

func.func private @other(memref<?xf32>)

// A call keeps the outer loop on the host.
func.func @call(%x: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  affine.for %t = 0 to 4 {
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      func.call @other(%x) : (memref<?xf32>) -> ()
    }
  }
  return
}

// So does a sum.
func.func @sum(%x: memref<?xf32>, %n: index, %step: index) -> f32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32

  // One element in so many.
  %s = scf.parallel (%i) = (%c0) to (%n) step (%step) init (%zero) -> f32 {
    %a = memref.load %x[%i] : memref<?xf32>
    scf.reduce(%a : f32) {
    ^bb0(%l: f32, %r: f32):
      %t = arith.addf %l, %r : f32
      scf.reduce.return %t : f32
    }
  }
  return %s : f32
}
