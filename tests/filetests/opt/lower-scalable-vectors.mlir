// test: opt --lower-scalable-vectors
// test: run-opt --entry f --arg=iota --arg=zeros
// expect: arg 1 = [4, 6, 4, 6, 0, 0, 0, 0]

memref.global "private" @kept : memref<2xvector<[4]xf32>> = uninitialized

func.func private @twice(%v: vector<2x[4]xf32>) -> vector<2x[4]xf32> {
  %w = arith.addf %v, %v : vector<2x[4]xf32>
  return %w : vector<2x[4]xf32>
}

func.func @f(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %vscale = vector.vscale
  %a = vector.load %x[%c0] : memref<8xf32>, vector<[4]xf32>
  %ones = arith.constant dense<1.0> : vector<2x[4]xf32>
  %m = vector.insert %a, %ones[1] : vector<[4]xf32> into vector<2x[4]xf32>
  %t = func.call @twice(%m) : (vector<2x[4]xf32>) -> vector<2x[4]xf32>
  %b = vector.extract %t[1] : vector<[4]xf32> from vector<2x[4]xf32>
  %h = vector.scalable.extract %b[2] : vector<2xf32> from vector<[4]xf32>
  %i = vector.scalable.insert %h, %b[0] : vector<2xf32> into vector<[4]xf32>
  %kept = memref.get_global @kept : memref<2xvector<[4]xf32>>
  memref.store %i, %kept[%vscale] : memref<2xvector<[4]xf32>>
  %j = memref.load %kept[%vscale] : memref<2xvector<[4]xf32>>
  vector.store %j, %y[%c0] : memref<8xf32>, vector<[4]xf32>
  return
}
