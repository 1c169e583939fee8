// test: run --arg=iota --arg=zeros --arg=3
// expect: arg 1 = [0, 1, 2, 7, 0, 1, 2, 0, 3, 7, 4, 7, 0, 0, 1, 2, 5, 7, 7, 7, 4, 2, 0, 0]
// test: roundtrip
// Accesses of some of the elements. The argument holds 0, 1, …, 5; %n is 3.
func.func @masks(%x: memref<6xi32>, %y: memref<24xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %c16 = arith.constant 16 : index
  %c20 = arith.constant 20 : index
  %seven = arith.constant 7 : i32
  %sevens = arith.constant dense<7> : vector<4xi32>
  // Three lanes are set: 0, 1, 2 and the 7 passed through
  %mask = vector.create_mask %n : vector<4xi1>
  %a = vector.maskedload %x[%c0], %mask, %sevens
      : memref<6xi32>, vector<4xi1>, vector<4xi32> into vector<4xi32>
  vector.store %a, %y[%c0] : memref<24xi32>, vector<4xi32>
  // Stored where set: 0, 1, 2, and what was there
  vector.maskedstore %y[%c4], %mask, %a : memref<24xi32>, vector<4xi1>, vector<4xi32>
  // 3, 4 expanded into the lanes 0 and 2
  %odd = arith.constant dense<[true, false, true, false]> : vector<4xi1>
  %b = vector.expandload %x[%c3], %odd, %sevens
      : memref<6xi32>, vector<4xi1>, vector<4xi32> into vector<4xi32>
  vector.store %b, %y[%c8] : memref<24xi32>, vector<4xi32>
  // The three set lanes, 0, 1 and 2, scattered to 13, 14 and 15
  %c13 = arith.constant 13 : index
  %at = arith.constant dense<[0, 1, 2, 9]> : vector<4xi32>
  vector.scatter %y[%c13] [%at], %mask, %a
      : memref<24xi32>, vector<4xi32>, vector<4xi1>, vector<4xi32>
  // Read from 5 on, with 7 beyond the end
  %c = vector.transfer_read %x[%c5], %seven : memref<6xi32>, vector<4xi32>
  vector.store %c, %y[%c16] : memref<24xi32>, vector<4xi32>
  // The elements 4 and 2
  %indices = arith.constant dense<[3, 1]> : vector<2xi32>
  %all = vector.constant_mask [2] : vector<2xi1>
  %zeros = arith.constant dense<0> : vector<2xi32>
  %d = vector.gather %x[%c1] [%indices], %all, %zeros
      : memref<6xi32>, vector<2xi32>, vector<2xi1>, vector<2xi32> into vector<2xi32>
  vector.store %d, %y[%c20] : memref<24xi32>, vector<2xi32>
  return
}
