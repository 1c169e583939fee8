// Keys are 7 i mod 8, so that key k is that of each i equal to 7 k mod 8: 300 of 2,400 elements each.
//
// test: run --entry=last --arg=zeros --arg=zeros
// expect: arg 1 = [2392, 2399, 2398, 2397, 2396, 2395, 2394, 2393]
// test: run --map-for=gpu --entry=last --arg=zeros --arg=zeros
// expect: arg 1 = [2392, 2399, 2398, 2397, 2396, 2395, 2394, 2393]
// test: run --entry=sort --arg=zeros --arg=zeros --arg=zeros --arg=zeros
// expect: arg 1 = [300, 600, 900, 1200, 1500, 1800, 2100, 2400]
// expect: arg 3 = [8, 15, 14, 13, 12, 11, 10, 9]
// test: run --map-for=gpu --entry=sort --arg=zeros --arg=zeros --arg=zeros --arg=zeros
// expect: arg 3 = [8, 15, 14, 13, 12, 11, 10, 9]
// test: run --no-specialize --entry=sort_open --arg=zeros[8400] --arg=zeros[8] --arg=zeros[8400]
// expect: arg 1 = [1050, 1050, 1050, 1050, 1050, 1050, 1050, 1050]

// The last element with each key stays.
func.func @last(%key: memref<2400xi32>, %at: memref<8xi32>) {
  call @fill(%key) : (memref<2400xi32>) -> ()
  affine.for %i = 0 to 2400 {
    %k = affine.load %key[%i] : memref<2400xi32>
    %j = arith.index_cast %k : i32 to index
    %p = arith.index_cast %i : index to i32
    memref.store %p, %at[%j] : memref<8xi32>
  }
  return
}

// A stable counting sort; what is second in the bucket of each key is the second element with it.
func.func @sort(%key: memref<2400xi32>, %start: memref<8xi32>, %sorted: memref<2400xi32>, %second: memref<8xi32>) {
  %one = arith.constant 1 : i32
  call @fill(%key) : (memref<2400xi32>) -> ()
  affine.for %k = 0 to 8 {
    %p = affine.apply affine_map<(d0) -> (d0 * 300)>(%k)
    %s = arith.index_cast %p : index to i32
    affine.store %s, %start[%k] : memref<8xi32>
  }
  affine.for %i = 0 to 2400 {
    %k = affine.load %key[%i] : memref<2400xi32>
    %j = arith.index_cast %k : i32 to index
    %s = memref.load %start[%j] : memref<8xi32>
    %to = arith.index_cast %s : i32 to index
    %p = arith.index_cast %i : index to i32
    memref.store %p, %sorted[%to] : memref<2400xi32>
    %next = arith.addi %s, %one : i32
    memref.store %next, %start[%j] : memref<8xi32>
  }
  affine.for %k = 0 to 8 {
    %p = affine.load %sorted[%k * 300 + 1] : memref<2400xi32>
    affine.store %p, %second[%k] : memref<8xi32>
  }
  return
}

// The rank of each element among those with its key, of open sizes.
func.func @sort_open(%key: memref<?xi32>, %count: memref<?xi32>, %rank: memref<?xi32>) {
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %n = memref.dim %key, %c0 : memref<?xi32>
  affine.for %i = 0 to %n {
    %m = affine.apply affine_map<(d0) -> ((d0 * 7) mod 8)>(%i)
    %k = arith.index_cast %m : index to i32
    affine.store %k, %key[%i] : memref<?xi32>
  }
  affine.for %i = 0 to %n {
    %k = affine.load %key[%i] : memref<?xi32>
    %j = arith.index_cast %k : i32 to index
    %s = memref.load %count[%j] : memref<?xi32>
    affine.store %s, %rank[%i] : memref<?xi32>
    %next = arith.addi %s, %one : i32
    memref.store %next, %count[%j] : memref<?xi32>
  }
  return
}

func.func private @fill(%key: memref<2400xi32>) {
  affine.for %i = 0 to 2400 {
    %m = affine.apply affine_map<(d0) -> ((d0 * 7) mod 8)>(%i)
    %k = arith.index_cast %m : index to i32
    affine.store %k, %key[%i] : memref<2400xi32>
  }
  return
}
