// Masked loads and stores of vectors that fit a register: each lane is an access under its bit of the mask,
// so that loops of them are analysed like any other.
// test: opt --lower-vectors --canonicalize
// test: run --entry=by_data --arg=iota --arg=ones
// expect: arg 1 = [7, 1, 7, 3, 7, 5, 7, 7]
// test: run --entry=rest --arg=iota --arg=ones
// expect: arg 1 = [1, 2, 3, 4, 5, 6, 1, 1]

// The lowest bit of each number is its mask; even ones give way to 7.
func.func @by_data(%a: memref<8xi32>, %b: memref<8xi32>) {
  %other = arith.constant dense<7> : vector<4xi32>
  %one = arith.constant dense<1> : vector<4xi32>
  affine.for %i = 0 to 8 step 4 {
    %v = affine.vector_load %a[%i] : memref<8xi32>, vector<4xi32>
    %bit = arith.andi %v, %one : vector<4xi32>
    %m = arith.cmpi eq, %bit, %one : vector<4xi32>
    %x = vector.maskedload %a[%i], %m, %other : memref<8xi32>, vector<4xi1>, vector<4xi32> into vector<4xi32>
    affine.vector_store %x, %b[%i] : memref<8xi32>, vector<4xi32>
  }
  return
}

// The mask of what is left of six elements.
func.func @rest(%a: memref<8xi32>, %b: memref<8xi32>) {
  %one = arith.constant dense<1> : vector<4xi32>
  affine.for %i = 0 to 6 step 4 {
    %n = affine.apply affine_map<(i) -> (6 - i)>(%i)
    %m = vector.create_mask %n : vector<4xi1>
    %x = vector.maskedload %a[%i], %m, %one : memref<8xi32>, vector<4xi1>, vector<4xi32> into vector<4xi32>
    %y = arith.addi %x, %one : vector<4xi32>
    vector.maskedstore %b[%i], %m, %y : memref<8xi32>, vector<4xi1>, vector<4xi32>
  }
  return
}
