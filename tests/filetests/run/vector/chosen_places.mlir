// Accesses of places that data or a mask chooses, of vectors longer than a register, in loops that
// become kernels: gather, scatter, expandload and compressstore.
//
// Row i gathers its elements in reverse, those at odd places only; the others are -1: with rows of 6
// from 0, 5 - l + 6 i for odd l. It expands its own first three elements to the odd places, and
// compresses the odd ones to the front.
//
// test: run --arg=iota --arg=zeros --arg=zeros --arg=zeros
// expect: arg 1 = [-1, 4, -1, 2, -1, 0, -1, 10, -1, 8, -1, 6]
// expect: arg 2 = [-1, 0, -1, 1, -1, 2, -1, 6, -1, 7, -1, 8]
// expect: arg 3 = [1, 3, 5, 0, 0, 0, 7, 9, 11, 0, 0, 0]
func.func @places(%a: memref<2x6xf32>, %gathered: memref<2x6xf32>, %expanded: memref<2x6xf32>,
                  %compressed: memref<2x6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %reverse = arith.constant dense<[5, 4, 3, 2, 1, 0]> : vector<6xi32>
  %same = arith.constant dense<[0, 1, 2, 3, 4, 5]> : vector<6xindex>
  %odd = arith.constant dense<[false, true, false, true, false, true]> : vector<6xi1>
  %all = arith.constant dense<true> : vector<6xi1>
  %none = arith.constant dense<-1.0> : vector<6xf32>
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    %g = vector.gather %a[%i, %c0] [%reverse], %odd, %none
      : memref<2x6xf32>, vector<6xi32>, vector<6xi1>, vector<6xf32> into vector<6xf32>
    vector.scatter %gathered[%i, %c0] [%same], %all, %g
      : memref<2x6xf32>, vector<6xindex>, vector<6xi1>, vector<6xf32>
    %e = vector.expandload %a[%i, %c0], %odd, %none
      : memref<2x6xf32>, vector<6xi1>, vector<6xf32> into vector<6xf32>
    vector.store %e, %expanded[%i, %c0] : memref<2x6xf32>, vector<6xf32>
    %row = vector.load %a[%i, %c0] : memref<2x6xf32>, vector<6xf32>
    vector.compressstore %compressed[%i, %c0], %odd, %row
      : memref<2x6xf32>, vector<6xi1>, vector<6xf32>
  }
  return
}
