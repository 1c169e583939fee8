// test: error run --entry=f --arg=zeros --device=cpu
// error: 9:1: 'func.func' of integers of more than 64 bits cannot be lowered
// error: 9:22: integers of more than 64 bits inside 'vector<2xi128>' cannot be lowered
// error: 14:8: integers of more than 64 bits inside 'vector<2xi128>' cannot be lowered
// error: 14:8: integers of more than 64 bits inside 'vector<2xi128>' cannot be lowered

// A vector of wide integers in a signature.

func.func private @g(%v: vector<2xi128>) -> vector<2xi128> { return %v : vector<2xi128> }
func.func @f(%x: memref<2xi64>) {
  %c0 = arith.constant 0 : index
  %v = vector.load %x[%c0] : memref<2xi64>, vector<2xi64>
  %a = arith.extsi %v : vector<2xi64> to vector<2xi128>
  %b = func.call @g(%a) : (vector<2xi128>) -> vector<2xi128>
  %c = arith.trunci %b : vector<2xi128> to vector<2xi64>
  vector.store %c, %x[%c0] : memref<2xi64>, vector<2xi64>
  return
}
