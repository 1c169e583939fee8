// No lane of the masked load is set, so it is in range; the plain load behind it is not.
// test: error run --device llvmpipe --arg=iota[3x8] --arg=zeros[4x4] --arg=zeros[4] --arg=iota[4]
// error: 14:10: reached outside a buffer 1 times
func.func @main(%x: memref<?x8xf32>, %m: memref<?x4xi1>, %y: memref<?xf32>, %at: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %y, %c0 : memref<?xf32>
  %z = arith.constant dense<1.0> : vector<4xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %k32 = memref.load %at[%i] : memref<?xi32>
    %k = arith.index_cast %k32 : i32 to index
    %set = vector.load %m[%i, %c0] : memref<?x4xi1>, vector<4xi1>
    %v = vector.maskedload %x[%k, %c0], %set, %z : memref<?x8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    %w = memref.load %x[%k, %c0] : memref<?x8xf32>
    %s = vector.reduction <add>, %v : vector<4xf32> into f32
    %t = arith.addf %s, %w : f32
    memref.store %t, %y[%i] : memref<?xf32>
    scf.reduce
  }
  return
}
