// Indices that come from integers which wrapped, and from an i1, whose 1 is -1 as signed.
//
// test: run --arg=iota --arg=zeros --arg=zeros --arg=zeros
// expect: arg 1 = [-56, -55, -54, -53]
// expect: arg 2 = [200, 201, 202, 203]
// expect: arg 3 = [0, -1, -1, -1]
func.func @f(%x: memref<4xi8>, %signed: memref<4xi32>, %unsigned: memref<4xi32>,
             %bits: memref<4xi32>) {
  %hundred = arith.constant 100 : i8
  %zero = arith.constant 0 : i8
  affine.for %i = 0 to 4 {
    %v = affine.load %x[%i] : memref<4xi8>
    %a = arith.addi %v, %hundred : i8
    %b = arith.addi %a, %hundred : i8
    %s = arith.index_cast %b : i8 to index
    %s32 = arith.index_cast %s : index to i32
    affine.store %s32, %signed[%i] : memref<4xi32>
    %u = arith.index_castui %b : i8 to index
    %u32 = arith.index_cast %u : index to i32
    affine.store %u32, %unsigned[%i] : memref<4xi32>
    %c = arith.cmpi ne, %v, %zero : i8
    %t = arith.index_cast %c : i1 to index
    %t32 = arith.index_cast %t : index to i32
    affine.store %t32, %bits[%i] : memref<4xi32>
  }
  return
}
