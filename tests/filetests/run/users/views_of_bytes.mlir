// Floats and integers side by side in one buffer of bytes.
// test: run --arg=zeros --arg=zeros
// expect: arg 0 = [15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15]
func.func @views_of_bytes(%o: memref<16xf32>, %q: memref<64xi8>) {
  %b = memref.alloc() : memref<192xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c16 = arith.constant 16 : index
  %x = memref.view %b[%c0][] : memref<192xi8> to memref<16xf32>
  %y = memref.view %b[%c64][%c16] : memref<192xi8> to memref<?xi32>
  affine.for %i = 0 to 16 {
    %k = arith.index_cast %i : index to i32
    %v = arith.sitofp %k : i32 to f32
    affine.store %v, %x[%i] : memref<16xf32>
    affine.store %k, %y[%i] : memref<?xi32>
  }
  affine.for %i = 0 to 16 {
    %v = affine.load %x[15 - %i] : memref<16xf32>
    %k = affine.load %y[%i] : memref<?xi32>
    %w = arith.sitofp %k : i32 to f32
    %s = arith.addf %v, %w : f32
    affine.store %s, %o[%i] : memref<16xf32>
  }
  affine.for %i = 0 to 64 {
    %v = affine.load %b[%i] : memref<192xi8>
    affine.store %v, %q[%i] : memref<64xi8>
  }
  memref.dealloc %b : memref<192xi8>
  return
}
