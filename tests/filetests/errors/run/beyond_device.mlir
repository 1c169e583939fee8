// A buffer beyond the device's limit, of which data choose the elements, so that no part of the grid sees less of it:
// the launch stays on the host, which is an error where the device is required.
//
// test: error run --device llvmpipe --require-device --arg=zeros --arg=iota --arg=zeros
// error: 7:3: the binding of buffer 1, in bytes, asks for 160000000 but
func.func @gather(%x: memref<40000000xf32>, %places: memref<64xi32>, %y: memref<64xf32>) {
  affine.for %i = 0 to 64 {
    %p = affine.load %places[%i] : memref<64xi32>
    %k = arith.index_cast %p : i32 to index
    %v = memref.load %x[%k] : memref<40000000xf32>
    affine.store %v, %y[%i] : memref<64xf32>
  }
  return
}
