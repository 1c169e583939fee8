// A load of an element that a masked load reads before, for lanes that are set only: the masked load's
// test that the index is in range covers no later access, and the kernel has to be valid.
//
// Row %i of the input has 8 %i, 8 %i + 1, ...: the first four and the first again are 40 %i + 6.
// test: spirv
// test: run --arg=iota[4x8] --arg=ones[4x4] --arg=zeros[4] --arg=iota[4]
// expect: arg 2 = [6, 46, 86, 126]
// Lanes that are not set give 1.
// test: run --arg=iota[4x8] --arg=zeros[4x4] --arg=zeros[4] --arg=iota[4]
// expect: arg 2 = [4, 12, 20, 28]
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
