// Both halves of products of integers whose width is no power of two: those of 24, 31, 33, 40 and 63 bits do not fit a
// register whole. The expected values are those of Python's integers, cut to the width.
// test: run --arg=zeros
// expect: arg 0 = [5509120, -894070, 5509120, 4105930, -304, -477, -304, 823, 659554304, -1396983862, 659554304, 1603016138, 273351180288, -109139364213, 273351180288, 190860635787, 1762186461202874368, -1301042606982605321, 1762186461202874368, 1698957393017394679, 0, 536870912, 0, 536870912]
func.func @main(%out: memref<1x24xi64>) {
  affine.parallel (%i) = (0) to (1) {
    %a24 = arith.constant -3000000 : i24
    %b24 = arith.constant 5000000 : i24
    %one24 = arith.index_cast %i : index to i24
    %x24 = arith.subi %a24, %one24 : i24
    %y24 = arith.addi %x24, %one24 : i24
    %sl24, %sh24 = arith.mulsi_extended %y24, %b24 : i24
    %ul24, %uh24 = arith.mului_extended %y24, %b24 : i24
    %wsl24 = arith.extsi %sl24 : i24 to i64
    affine.store %wsl24, %out[%i, 0] : memref<1x24xi64>
    %wsh24 = arith.extsi %sh24 : i24 to i64
    affine.store %wsh24, %out[%i, 1] : memref<1x24xi64>
    %wul24 = arith.extsi %ul24 : i24 to i64
    affine.store %wul24, %out[%i, 2] : memref<1x24xi64>
    %wuh24 = arith.extsi %uh24 : i24 to i64
    affine.store %wuh24, %out[%i, 3] : memref<1x24xi64>
    %a12 = arith.constant -1500 : i12
    %b12 = arith.constant 1300 : i12
    %one12 = arith.index_cast %i : index to i12
    %x12 = arith.subi %a12, %one12 : i12
    %y12 = arith.addi %x12, %one12 : i12
    %sl12, %sh12 = arith.mulsi_extended %y12, %b12 : i12
    %ul12, %uh12 = arith.mului_extended %y12, %b12 : i12
    %wsl12 = arith.extsi %sl12 : i12 to i64
    affine.store %wsl12, %out[%i, 4] : memref<1x24xi64>
    %wsh12 = arith.extsi %sh12 : i12 to i64
    affine.store %wsh12, %out[%i, 5] : memref<1x24xi64>
    %wul12 = arith.extsi %ul12 : i12 to i64
    affine.store %wul12, %out[%i, 6] : memref<1x24xi64>
    %wuh12 = arith.extsi %uh12 : i12 to i64
    affine.store %wuh12, %out[%i, 7] : memref<1x24xi64>
    %a33 = arith.constant -4000000000 : i33
    %b33 = arith.constant 3000000000 : i33
    %one33 = arith.index_cast %i : index to i33
    %x33 = arith.subi %a33, %one33 : i33
    %y33 = arith.addi %x33, %one33 : i33
    %sl33, %sh33 = arith.mulsi_extended %y33, %b33 : i33
    %ul33, %uh33 = arith.mului_extended %y33, %b33 : i33
    %wsl33 = arith.extsi %sl33 : i33 to i64
    affine.store %wsl33, %out[%i, 8] : memref<1x24xi64>
    %wsh33 = arith.extsi %sh33 : i33 to i64
    affine.store %wsh33, %out[%i, 9] : memref<1x24xi64>
    %wul33 = arith.extsi %ul33 : i33 to i64
    affine.store %wul33, %out[%i, 10] : memref<1x24xi64>
    %wuh33 = arith.extsi %uh33 : i33 to i64
    affine.store %wuh33, %out[%i, 11] : memref<1x24xi64>
    %a40 = arith.constant -400000000000 : i40
    %b40 = arith.constant 300000000000 : i40
    %one40 = arith.index_cast %i : index to i40
    %x40 = arith.subi %a40, %one40 : i40
    %y40 = arith.addi %x40, %one40 : i40
    %sl40, %sh40 = arith.mulsi_extended %y40, %b40 : i40
    %ul40, %uh40 = arith.mului_extended %y40, %b40 : i40
    %wsl40 = arith.extsi %sl40 : i40 to i64
    affine.store %wsl40, %out[%i, 12] : memref<1x24xi64>
    %wsh40 = arith.extsi %sh40 : i40 to i64
    affine.store %wsh40, %out[%i, 13] : memref<1x24xi64>
    %wul40 = arith.extsi %ul40 : i40 to i64
    affine.store %wul40, %out[%i, 14] : memref<1x24xi64>
    %wuh40 = arith.extsi %uh40 : i40 to i64
    affine.store %wuh40, %out[%i, 15] : memref<1x24xi64>
    %a63 = arith.constant -4000000000000000000 : i63
    %b63 = arith.constant 3000000000000000000 : i63
    %one63 = arith.index_cast %i : index to i63
    %x63 = arith.subi %a63, %one63 : i63
    %y63 = arith.addi %x63, %one63 : i63
    %sl63, %sh63 = arith.mulsi_extended %y63, %b63 : i63
    %ul63, %uh63 = arith.mului_extended %y63, %b63 : i63
    %wsl63 = arith.extsi %sl63 : i63 to i64
    affine.store %wsl63, %out[%i, 16] : memref<1x24xi64>
    %wsh63 = arith.extsi %sh63 : i63 to i64
    affine.store %wsh63, %out[%i, 17] : memref<1x24xi64>
    %wul63 = arith.extsi %ul63 : i63 to i64
    affine.store %wul63, %out[%i, 18] : memref<1x24xi64>
    %wuh63 = arith.extsi %uh63 : i63 to i64
    affine.store %wuh63, %out[%i, 19] : memref<1x24xi64>
    %a31 = arith.constant -1073741824 : i31
    %b31 = arith.constant -1073741824 : i31
    %one31 = arith.index_cast %i : index to i31
    %x31 = arith.subi %a31, %one31 : i31
    %y31 = arith.addi %x31, %one31 : i31
    %sl31, %sh31 = arith.mulsi_extended %y31, %b31 : i31
    %ul31, %uh31 = arith.mului_extended %y31, %b31 : i31
    %wsl31 = arith.extsi %sl31 : i31 to i64
    affine.store %wsl31, %out[%i, 20] : memref<1x24xi64>
    %wsh31 = arith.extsi %sh31 : i31 to i64
    affine.store %wsh31, %out[%i, 21] : memref<1x24xi64>
    %wul31 = arith.extsi %ul31 : i31 to i64
    affine.store %wul31, %out[%i, 22] : memref<1x24xi64>
    %wuh31 = arith.extsi %uh31 : i31 to i64
    affine.store %wuh31, %out[%i, 23] : memref<1x24xi64>
  }
  return
}
