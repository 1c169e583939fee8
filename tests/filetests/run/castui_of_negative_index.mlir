// The 64 bits of a negative index, whatever width the kernel counts with.
//
// test: run --arg=zeros --arg=zeros
// expect: arg 0 = [-2, -1, 0, 1]
// expect: arg 1 = [-2, -1, 0, 1]
func.func @f(%a: memref<4xi64>, %b: memref<4xi8>) {
  affine.for %i = 0 to 4 {
    %k = affine.apply affine_map<(d0) -> (d0 - 2)>(%i)
    %u = arith.index_castui %k : index to i64
    affine.store %u, %a[%i] : memref<4xi64>
    %n = arith.index_castui %k : index to i8
    affine.store %n, %b[%i] : memref<4xi8>
  }
  return
}
