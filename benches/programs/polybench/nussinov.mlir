// nussinov: the most pairs that a sequence of 60 bases can fold into; rows are filled from the last to the first,
// %i being 59 - %r.
func.func @nussinov(%seq: memref<60xi32>, %table: memref<60x60xi32>) {
  %three = arith.constant 3 : i32
  affine.for %r = 0 to 60 {
    affine.for %j = affine_map<(d0) -> (60 - d0)>(%r) to 60 {
      affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%j) {
        %table_59mrj = affine.load %table[59 - %r, %j] : memref<60x60xi32>
        %table_59mrjm1 = affine.load %table[59 - %r, %j - 1] : memref<60x60xi32>
        %more = arith.cmpi sge, %table_59mrj, %table_59mrjm1 : i32
        %most = arith.select %more, %table_59mrj, %table_59mrjm1 : i32
        affine.store %most, %table[59 - %r, %j] : memref<60x60xi32>
      }
      affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%r) {
        %table_59mrj = affine.load %table[59 - %r, %j] : memref<60x60xi32>
        %table_60mrj = affine.load %table[60 - %r, %j] : memref<60x60xi32>
        %more = arith.cmpi sge, %table_59mrj, %table_60mrj : i32
        %most = arith.select %more, %table_59mrj, %table_60mrj : i32
        affine.store %most, %table[59 - %r, %j] : memref<60x60xi32>
      }
      affine.if affine_set<(d0, d1) : (d0 - 1 >= 0, d1 - 1 >= 0)>(%j, %r) {
        affine.if affine_set<(d0, d1) : (d0 + d1 - 61 >= 0)>(%j, %r) {
          %table_59mrj = affine.load %table[59 - %r, %j] : memref<60x60xi32>
          %table_60mrjm1 = affine.load %table[60 - %r, %j - 1] : memref<60x60xi32>
          %seq_59mr = affine.load %seq[59 - %r] : memref<60xi32>
          %seq_j = affine.load %seq[%j] : memref<60xi32>
          %pair = arith.addi %seq_59mr, %seq_j : i32
          %is_pair = arith.cmpi eq, %pair, %three : i32
          %bond = arith.extui %is_pair : i1 to i32
          %sum = arith.addi %table_60mrjm1, %bond : i32
          %more = arith.cmpi sge, %table_59mrj, %sum : i32
          %most = arith.select %more, %table_59mrj, %sum : i32
          affine.store %most, %table[59 - %r, %j] : memref<60x60xi32>
        } else {
          %table_59mrj = affine.load %table[59 - %r, %j] : memref<60x60xi32>
          %table_60mrjm1 = affine.load %table[60 - %r, %j - 1] : memref<60x60xi32>
          %more = arith.cmpi sge, %table_59mrj, %table_60mrjm1 : i32
          %most = arith.select %more, %table_59mrj, %table_60mrjm1 : i32
          affine.store %most, %table[59 - %r, %j] : memref<60x60xi32>
        }
      }
      affine.for %k = affine_map<(d0) -> (60 - d0)>(%r) to affine_map<(d0) -> (d0)>(%j) {
        %table_59mrj = affine.load %table[59 - %r, %j] : memref<60x60xi32>
        %table_59mrk = affine.load %table[59 - %r, %k] : memref<60x60xi32>
        %table_kp1j = affine.load %table[%k + 1, %j] : memref<60x60xi32>
        %sum = arith.addi %table_59mrk, %table_kp1j : i32
        %more = arith.cmpi sge, %table_59mrj, %sum : i32
        %most = arith.select %more, %table_59mrj, %sum : i32
        affine.store %most, %table[59 - %r, %j] : memref<60x60xi32>
      }
    }
  }
  return
}
