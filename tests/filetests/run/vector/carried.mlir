// test: run --arg=iota --arg=zeros --arg=true
// expect: arg 1 = [8, 12, 16, 20, 1, 0, 6, 4]
// test: roundtrip
// Vectors as values of loops, of conditions, of blocks and of calls. The argument holds 0 … 9.
func.func private @halves(%v: vector<4xi32>) -> (vector<2xi32>, vector<2xi32>) {
  %a = vector.extract_strided_slice %v {offsets = [0], sizes = [2], strides = [1]}
      : vector<4xi32> to vector<2xi32>
  %b = vector.extract_strided_slice %v {offsets = [2], sizes = [2], strides = [1]}
      : vector<4xi32> to vector<2xi32>
  return %a, %b : vector<2xi32>, vector<2xi32>
}
func.func @carried(%x: memref<10xi32>, %y: memref<8xi32>, %yes: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  // x[k..k+3] summed over k = 0, 2, 4, 6 less 4: [0+2+4+6, ...] - 4 = 8, 12, 16, 20
  %start = arith.constant dense<-4> : vector<4xi32>
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %sum = scf.for %k = %c0 to %c8 step %c2 iter_args(%acc = %start) -> vector<4xi32> {
    %v = vector.load %x[%k] : memref<10xi32>, vector<4xi32>
    %next = arith.addi %acc, %v : vector<4xi32>
    scf.yield %next : vector<4xi32>
  }
  vector.store %sum, %y[%c0] : memref<8xi32>, vector<4xi32>
  %low = vector.load %x[%c0] : memref<10xi32>, vector<2xi32>
  %high = vector.load %x[%c4] : memref<10xi32>, vector<2xi32>
  // The first two, exchanged: 1, 0
  %swapped = scf.if %yes -> vector<2xi32> {
    %s = vector.shuffle %low, %high [1, 0] : vector<2xi32>, vector<2xi32>
    scf.yield %s : vector<2xi32>
  } else {
    scf.yield %high : vector<2xi32>
  }
  vector.store %swapped, %y[%c4] : memref<8xi32>, vector<2xi32>
  // [0, 1] and [1, 0] exchanged three times
  %c3 = arith.constant 3 : index
  %r:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%a = %low, %b = %swapped)
      -> (vector<2xi32>, vector<2xi32>) {
    scf.yield %b, %a : vector<2xi32>, vector<2xi32>
  }
  // r = (swapped, low) = ([1, 0], [0, 1]); joined: 1, 0, 0, 1; halves: [1, 0] and [0, 1]
  %joined = vector.shuffle %r#0, %r#1 [0, 1, 2, 3] : vector<2xi32>, vector<2xi32>
  %h:2 = call @halves(%joined) : (vector<4xi32>) -> (vector<2xi32>, vector<2xi32>)
  // [1, 0] * 6 + [0, 1] * 4 = 6, 4
  %six = arith.constant dense<6> : vector<2xi32>
  %four = arith.constant dense<4> : vector<2xi32>
  %p = arith.muli %h#0, %six : vector<2xi32>
  %q = arith.muli %h#1, %four : vector<2xi32>
  %pq = arith.addi %p, %q : vector<2xi32>
  vector.store %pq, %y[%c6] : memref<8xi32>, vector<2xi32>
  return
}
