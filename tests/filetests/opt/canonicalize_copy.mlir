// A copy takes its memrefs as they were before a cast where their shapes may still be equal. Nobody need
// reach the copies of other shapes, so this program is valid.
// test: opt --canonicalize
func.func @casts(%a: memref<16xf32>, %b: memref<14xf32>, %c: memref<16xf32>, %reached: i1) {
  %0 = memref.cast %a : memref<16xf32> to memref<?xf32>
  %1 = memref.cast %b : memref<14xf32> to memref<?xf32>
  %2 = memref.cast %c : memref<16xf32> to memref<?xf32>
  scf.if %reached {
    memref.copy %0, %1 : memref<?xf32> to memref<?xf32>
    memref.copy %0, %2 : memref<?xf32> to memref<?xf32>
    gpu.memcpy %1, %0 : memref<?xf32>, memref<?xf32>
  }
  return
}
