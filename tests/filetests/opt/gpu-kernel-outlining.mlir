// test: opt --affine-map-to-gpu --gpu-kernel-outlining
// test: run-opt --entry=two --arg=random:1 --arg=random:1
// test: run-opt --entry=global --arg=random:1
// test: run-opt --entry=splat --arg=zeros --arg=2.5
// test: run-opt --entry=loaded_vector --arg=zeros --arg=iota

// The kernel is named after the function, not after the version of it that launches it.
func.func @two(%a: memref<64xf32>, %b: memref<64xf32>) {
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf32>
    affine.store %x, %b[%i] : memref<64xf32>
  }
  return
}

// A global that the kernel names is an argument: its name means nothing in the gpu.module.
memref.global constant @table : memref<4xi32> = dense<[10, 20, 30, 40]>
func.func @global(%out: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {
    %t = memref.get_global @table : memref<4xi32>
    %v = memref.load %t[%tx] : memref<4xi32>
    memref.store %v, %out[%tx] : memref<4xi32>
    gpu.terminator
  }
  return
}

// Kernels take no vectors: one that a scalar says is made anew.
func.func @splat(%out: memref<8xf32>, %x: f32) {
  %v = vector.broadcast %x : f32 to vector<2xf32>
  affine.for %i = 0 to 4 {
    affine.vector_store %v, %out[%i * 2] : memref<8xf32>, vector<2xf32>
  }
  return
}

// Of one that was loaded outside, the elements are passed.
func.func @loaded_vector(%out: memref<8xf32>, %from: memref<2xf32>) {
  %v = affine.vector_load %from[0] : memref<2xf32>, vector<2xf32>
  affine.for %i = 0 to 4 {
    affine.vector_store %v, %out[%i * 2] : memref<8xf32>, vector<2xf32>
  }
  return
}
