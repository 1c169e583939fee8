// test: run --arg=iota --arg=2
// expect: result 0 = [6, 8, 10]
// expect: result 1 = 12
// test: roundtrip
// A vector as the result of the function that is run: twice the elements 3, 4, 5, and their sum.
func.func @result(%x: memref<8xi32>, %n: i32) -> (vector<3xi32>, i32) {
  %c3 = arith.constant 3 : index
  %v = vector.load %x[%c3] : memref<8xi32>, vector<3xi32>
  %twos = vector.broadcast %n : i32 to vector<3xi32>
  %d = arith.muli %v, %twos : vector<3xi32>
  %s = vector.reduction <add>, %v : vector<3xi32> into i32
  return %d, %s : vector<3xi32>, i32
}
