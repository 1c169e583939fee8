// What a symbol is computed from may hold a dimension: it is put in where the map stays affine.
// test: stages --canonicalize --lower-affine
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 0, 0]
func.func @symbols(%m: memref<16xindex>, %to: memref<16xindex>) {
  affine.for %i = 0 to 8 {
    %0 = memref.load %m[%i] : memref<16xindex>
    %1 = affine.apply affine_map<(d0)[s0] -> (d0 + s0 + 1)>(%i)[%0]
    %2 = affine.apply affine_map<(d0)[s0] -> (d0 mod s0)>(%i)[%1]
    memref.store %1, %to[%2] : memref<16xindex>
    %3 = affine.apply affine_map<()[s0] -> (s0 floordiv 2)>()[%1]
    memref.store %2, %to[%3] : memref<16xindex>
    %4 = affine.min affine_map<(d0)[s0] -> (d0 floordiv 3 + s0)>(%i)[%i]
    memref.store %4, %to[%4] : memref<16xindex>
  }
  return
}
