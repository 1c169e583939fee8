// test: opt --normalize-memrefs

#transposed = affine_map<(d0, d1) -> (d1, d0)>
#symbolic = affine_map<(d0)[s0] -> (d0 + s0)>
#shifted = affine_map<(d0) -> (d0 - 1)>

// remark: 8:1: a memref keeps its layout: callers outside of this module may pass or receive it
func.func @anyone(%t: memref<4x6xf32, #transposed>, %a: memref<6xf32>) -> memref<4x6xf32, #transposed> {
  // A view of it has a layout that follows from its own.
  %s = memref.alloc() : memref<4x6xf32, #transposed>
  // remark: 13:8: a memref keeps its layout: 'memref.cast' may depend on its layout
  // remark: 13:8: a memref keeps its layout: 'memref.cast' may depend on its layout
  %c = memref.cast %s : memref<4x6xf32, #transposed> to memref<?x6xf32, #transposed>
  %x = affine.load %a[0] : memref<6xf32>
  affine.store %x, %s[0, 0] : memref<4x6xf32, #transposed>
  return %t : memref<4x6xf32, #transposed>
}

// What is declared is defined elsewhere.
func.func private @elsewhere(memref<4x6xf32, #transposed>)
func.func @calls(%n: index) {
  %t = memref.alloc() : memref<4x6xf32, #transposed>
  // remark: 24:3: a memref keeps its layout: 'func.call' may depend on its layout
  func.call @elsewhere(%t) : (memref<4x6xf32, #transposed>) -> ()
  // remark: 26:8: a memref keeps its layout: 'memref.alloc' may depend on its layout
  %s = memref.alloc()[%n] : memref<4xf32, #symbolic>
  // remark: 28:8: a memref keeps its layout: a result of its layout may be negative
  %u = memref.alloc() : memref<4xf32, #shifted>
  // remark: 31:3: a memref keeps its layout: 'memref.copy' may depend on its layout
  %v = memref.alloc() : memref<4x6xf32, #transposed>
  memref.copy %v, %v : memref<4x6xf32, #transposed> to memref<4x6xf32, #transposed>
  return
}
