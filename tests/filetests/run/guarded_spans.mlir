// Threads run several iterations of a guarded body, one after the other, each iteration once; the last workgroup has fewer. The sum over
// subsets of bit 6 alone adds to each element the one 64 before where that bit is set, and leaves the others.
//
// x[i] = 1, then x[i] = 2 where i & 64: 9984 numbers, 64 in each of 156 blocks of 128; the 43 left have none. The second sum, by Python,
// weighs each by i modulo 1000.
//
// test: run --arg=ones --arg=zeros
// expect: arg 1 = [29995, 14968807]
func.func @main(%x: memref<20011xi32>, %sums: memref<2xi32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %n = arith.constant 20011 : index
  affine.for %i = 0 to 20011 {
    %bit = arith.andi %i, %c64 : index
    %has_bit = arith.cmpi ne, %bit, %c0 : index
    scf.if %has_bit {
      %partner = arith.xori %i, %c64 : index
      %a = memref.load %x[%i] : memref<20011xi32>
      %b = memref.load %x[%partner] : memref<20011xi32>
      %sum = arith.addi %a, %b : i32
      memref.store %sum, %x[%i] : memref<20011xi32>
    }
  }
  affine.for %i = 0 to 20011 {
    %value = affine.load %x[%i] : memref<20011xi32>
    %sum = affine.load %sums[0] : memref<2xi32>
    %new_sum = arith.addi %sum, %value : i32
    affine.store %new_sum, %sums[0] : memref<2xi32>
    %place = affine.apply affine_map<(i) -> (i mod 1000)>(%i)
    %weight = arith.index_cast %place : index to i32
    %product = arith.muli %value, %weight : i32
    %weighted = affine.load %sums[1] : memref<2xi32>
    %new_weighted = arith.addi %weighted, %product : i32
    affine.store %new_weighted, %sums[1] : memref<2xi32>
  }
  return
}
