// test: opt --lower-vector-elements
// test: run-opt --arg=iota[4x2x4] --arg=zeros
func.func @accesses(%a: memref<?xvector<2x4xf32>, strided<[3], offset: ?>>,
                    %b: memref<8xvector<2x4xf32>, affine_map<(i) -> (2 * i)>>) {
  %c1 = arith.constant 1 : index
  %u = memref.load %a[%c1] {nontemporal = true} : memref<?xvector<2x4xf32>, strided<[3], offset: ?>>
  affine.for %i = 0 to 4 {
    %v = affine.load %a[%i] : memref<?xvector<2x4xf32>, strided<[3], offset: ?>>
    %w = arith.addf %u, %v : vector<2x4xf32>
    affine.store %w, %b[%i + 1] : memref<8xvector<2x4xf32>, affine_map<(i) -> (2 * i)>>
  }
  return
}
