// test: opt --affine-map-to-gpu
// test: run-opt --entry=two --arg=random:1 --arg=random:1
// test: run-opt --entry=open --arg=random:1[9] --arg=random:1[9] --arg=random:1[9] --arg=random:1[9x4] --arg=1.5
// test: run-opt --entry=one --arg=random:1
// test: run-opt --entry=band --arg=random:1 --arg=random:1

// `%b` is written: it has to be apart from `%a` for the loop to be parallel.
func.func @two(%a: memref<64xf32>, %b: memref<64xf32>) {
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf32>
    affine.store %x, %b[%i] : memref<64xf32>
  }
  return
}

// Sizes, strides and the offset are asked of the arguments; `%a` and `%b` may be the same. `%d` is written, too,
// and has to be apart from all others.
func.func @open(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32, strided<[-2], offset: 100>>, %d: memref<?x4xf32, strided<[?, 1], offset: ?>>, %x: f32) -> index {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    %y = affine.load %a[%i] : memref<?xf32>
    %z = affine.load %b[%i] : memref<?xf32>
    %w = arith.addf %y, %z : f32
    affine.store %w, %c[%i] : memref<?xf32, strided<[-2], offset: 100>>
  }
  affine.store %x, %d[0, 1] : memref<?x4xf32, strided<[?, 1], offset: ?>>
  return %n : index
}

// One argument needs no check.
func.func @one(%a: memref<64xf32>) {
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %a[%i] : memref<64xf32>
  }
  return
}

// The address range of an unranked memref is not known: the loop stays.
func.func @unranked(%u: memref<*xf32>, %b: memref<64xf32>) {
  %a = memref.cast %u : memref<*xf32> to memref<64xf32>
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf32>
    affine.store %x, %b[%i] : memref<64xf32>
  }
  return
}

// A band is mapped as it is.
func.func @band(%a: memref<64x64xf32>, %b: memref<64x64xf32>) {
  affine.parallel (%i, %j) = (0, 0) to (64, 64) {
    %x = affine.load %a[%i, %j] : memref<64x64xf32>
    affine.store %x, %b[%j, %i] : memref<64x64xf32>
  }
  return
}
