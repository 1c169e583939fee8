// test: run --arg=iota --arg=zeros --arg=zeros --arg=zeros
// expect: arg 1 = [[62, 63], [62, 63], [62, 63], [62, 63], [62, 63], [62, 63], [62, 63], [62, 63], [62, 63], [62, 63], [62, 63], [62, 63], [62, 63], [62, 63], [62, 63], [62, 63], [62, 63], [62, 63], [62, 63], [62, 63], [62, 63], [62, 63], [62, 63], [62, 63], [62, 63], [62, 63], [62, 63], [62, 63], [62, 63], [62, 63], [62, 63], [62, 63]]
// expect: arg 2 = [[6, 7], [4, 5], [2, 3], [0, 1], [14, 15], [12, 13], [10, 11], [8, 9], [22, 23], [20, 21], [18, 19], [16, 17], [30, 31], [28, 29], [26, 27], [24, 25], [38, 39], [36, 37], [34, 35], [32, 33], [46, 47], [44, 45], [42, 43], [40, 41], [54, 55], [52, 53], [50, 51], [48, 49], [62, 63], [60, 61], [58, 59], [56, 57]]
// expect: arg 3 = [[14, 15], [14, 15], [14, 15], [14, 15], [14, 15], [14, 15], [14, 15], [14, 15], [14, 15], [14, 15], [14, 15], [14, 15], [14, 15], [14, 15], [14, 15], [14, 15], [14, 15], [14, 15], [14, 15], [14, 15], [14, 15], [14, 15], [14, 15], [14, 15], [14, 15], [14, 15], [14, 15], [14, 15], [14, 15], [14, 15], [14, 15], [14, 15]]

// Collective operations on vectors, of which lane k has the elements 2 k and 2 k + 1: the greatest ones, those of lane k xor 3 (where
// that is a lane of the shuffle, as all are), and those of lane 7.

func.func @f(%x: memref<32x2xi32>, %greatest: memref<32x2xi32>, %shuffled: memref<32x2xi32>, %seventh: memref<32x2xi32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %three = arith.constant 3 : i32
    %seven = arith.constant 7 : i32
    %width = arith.constant 32 : i32
    %zeros = arith.constant dense<0> : vector<2xi32>
    %v = vector.load %x[%tx, %c0] : memref<32x2xi32>, vector<2xi32>
    %m = gpu.subgroup_reduce maxsi %v : (vector<2xi32>) -> (vector<2xi32>)
    vector.store %m, %greatest[%tx, %c0] : memref<32x2xi32>, vector<2xi32>
    %s, %valid = gpu.shuffle xor %v, %three, %width : vector<2xi32>
    %t = arith.select %valid, %s, %zeros : vector<2xi32>
    vector.store %t, %shuffled[%tx, %c0] : memref<32x2xi32>, vector<2xi32>
    %b = gpu.subgroup_broadcast %v, specific_lane %seven : vector<2xi32>
    vector.store %b, %seventh[%tx, %c0] : memref<32x2xi32>, vector<2xi32>
    gpu.terminator
  }
  return
}
