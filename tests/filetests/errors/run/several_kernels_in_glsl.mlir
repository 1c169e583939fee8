// test: error compile --emit=glsl
// exit: 2
// error: GLSL has one entry point a file, and there are 10 kernels: choose one with --kernel (f0_kernel0, f1_kernel0, f2_kernel0, f3_kernel0, f4_kernel0, f5_kernel0, f6_kernel0, f7_kernel0 and 2 more)
func.func @f0(%x: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    %v = affine.load %x[%i] : memref<4xf32>
    %w = arith.addf %v, %v : f32
    affine.store %w, %x[%i] : memref<4xf32>
  }
  return
}
func.func @f1(%x: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    %v = affine.load %x[%i] : memref<4xf32>
    %w = arith.addf %v, %v : f32
    affine.store %w, %x[%i] : memref<4xf32>
  }
  return
}
func.func @f2(%x: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    %v = affine.load %x[%i] : memref<4xf32>
    %w = arith.addf %v, %v : f32
    affine.store %w, %x[%i] : memref<4xf32>
  }
  return
}
func.func @f3(%x: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    %v = affine.load %x[%i] : memref<4xf32>
    %w = arith.addf %v, %v : f32
    affine.store %w, %x[%i] : memref<4xf32>
  }
  return
}
func.func @f4(%x: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    %v = affine.load %x[%i] : memref<4xf32>
    %w = arith.addf %v, %v : f32
    affine.store %w, %x[%i] : memref<4xf32>
  }
  return
}
func.func @f5(%x: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    %v = affine.load %x[%i] : memref<4xf32>
    %w = arith.addf %v, %v : f32
    affine.store %w, %x[%i] : memref<4xf32>
  }
  return
}
func.func @f6(%x: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    %v = affine.load %x[%i] : memref<4xf32>
    %w = arith.addf %v, %v : f32
    affine.store %w, %x[%i] : memref<4xf32>
  }
  return
}
func.func @f7(%x: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    %v = affine.load %x[%i] : memref<4xf32>
    %w = arith.addf %v, %v : f32
    affine.store %w, %x[%i] : memref<4xf32>
  }
  return
}
func.func @f8(%x: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    %v = affine.load %x[%i] : memref<4xf32>
    %w = arith.addf %v, %v : f32
    affine.store %w, %x[%i] : memref<4xf32>
  }
  return
}
func.func @f9(%x: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    %v = affine.load %x[%i] : memref<4xf32>
    %w = arith.addf %v, %v : f32
    affine.store %w, %x[%i] : memref<4xf32>
  }
  return
}
