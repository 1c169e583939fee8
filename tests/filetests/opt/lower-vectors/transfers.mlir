// test: opt --lower-vectors --canonicalize
// test: run-opt --entry=read --arg=random:1[9] --arg=random:1 --arg=6
// test: run-opt --entry=column --arg=random:1 --arg=6 --arg=6
// test: run-opt --entry=tile --arg=random:1 --arg=6 --arg=6
// test: stages --offload

// In bounds by what it says, and by what it does not say: the first needs no test.
func.func @read(%a: memref<?xf32>, %c: memref<2xf32>, %i: index) {
  %pad = arith.constant 7.0 : f32
  %c0 = arith.constant 0 : index
  %sure = vector.transfer_read %a[%i], %pad {in_bounds = [true]} : memref<?xf32>, vector<2xf32>
  %unsure = vector.transfer_read %a[%i], %pad : memref<?xf32>, vector<2xf32>
  %sum = arith.addf %sure, %unsure : vector<2xf32>
  vector.transfer_write %sum, %c[%c0] {in_bounds = [true]} : vector<2xf32>, memref<2xf32>
  return
}

// Lanes along the first dimension; one element for all of them.
func.func @column(%a: memref<8x8xi32>, %i: index, %j: index) -> vector<2xi32> {
  %pad = arith.constant 7 : i32
  %x = vector.transfer_read %a[%i, %j], %pad {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<8x8xi32>, vector<2xi32>
  %y = vector.transfer_read %a[%i, %j], %pad {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (0)>} : memref<8x8xi32>, vector<2xi32>
  %z = arith.addi %x, %y : vector<2xi32>
  return %z : vector<2xi32>
}

// Lanes along both dimensions, transposed.
func.func @tile(%a: memref<8x8xi32>, %i: index, %j: index) -> vector<2x2xi32> {
  %pad = arith.constant 7 : i32
  %x = vector.transfer_read %a[%i, %j], %pad {in_bounds = [true, false], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<8x8xi32>, vector<2x2xi32>
  return %x : vector<2x2xi32>
}

// Too long, of vectors: these stay. A mask is one more test.
func.func @stay(%a: memref<64x640xf32>, %v: memref<8xvector<2xf32>>, %m: vector<2xi1>, %i: index)
    -> (vector<257xf32>, vector<2xf32>, vector<1x2xf32>) {
  %pad = arith.constant 0.0 : f32
  %pads = arith.constant dense<0.0> : vector<2xf32>
  %x = vector.transfer_read %a[%i, %i], %pad : memref<64x640xf32>, vector<257xf32>
  %y = vector.transfer_read %a[%i, %i], %pad, %m : memref<64x640xf32>, vector<2xf32>
  %w = vector.transfer_read %v[%i], %pads : memref<8xvector<2xf32>>, vector<1x2xf32>
  return %x, %y, %w : vector<257xf32>, vector<2xf32>, vector<1x2xf32>
}
