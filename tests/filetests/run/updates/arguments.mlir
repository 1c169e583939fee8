// The greatest value of each key, the first place where it stands, and that with another sign: keys are
// i mod 5, values 7 i mod 4, which are equal every 20 places. Sizes are open.
//
// test: run --entry=first --arg=zeros --arg=zeros --arg=zeros --arg=30
// expect: arg 0 = [3, 3, 3, 3, 3]
// expect: arg 1 = [5, 1, 17, 13, 9]
// expect: arg 2 = [-5, -1, -17, -13, -9]
// test: run --map-for=gpu --entry=first --arg=zeros --arg=zeros --arg=zeros --arg=30
// expect: arg 1 = [5, 1, 17, 13, 9]
// test: run --entry=first --arg=zeros --arg=ones --arg=zeros --arg=0
// expect: arg 1 = [1, 1, 1, 1, 1]
func.func @first(%max: memref<5xf32>, %at: memref<5xi32>, %negative: memref<5xi64>, %n: i32) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %size = arith.index_cast %n : i32 to index
  %key = memref.alloc(%size) : memref<?xindex>
  %value = memref.alloc(%size) : memref<?xf32>
  affine.for %i = 0 to %size {
    %k = affine.apply affine_map<(d0) -> (d0 mod 5)>(%i)
    affine.store %k, %key[%i] : memref<?xindex>
    %r = affine.apply affine_map<(d0) -> ((d0 * 7) mod 4)>(%i)
    %c = arith.index_cast %r : index to i32
    %v = arith.sitofp %c : i32 to f32
    affine.store %v, %value[%i] : memref<?xf32>
  }
  affine.for %i = 0 to %size {
    %k = affine.load %key[%i] : memref<?xindex>
    %v = affine.load %value[%i] : memref<?xf32>
    %m = memref.load %max[%k] : memref<5xf32>
    %c = arith.cmpf ogt, %v, %m : f32
    scf.if %c {
      memref.store %v, %max[%k] : memref<5xf32>
      %p = arith.index_cast %i : index to i32
      memref.store %p, %at[%k] : memref<5xi32>
      %w = arith.index_cast %i : index to i64
      %d = arith.subi %zero, %w : i64
      memref.store %d, %negative[%k] : memref<5xi64>
    }
  }
  memref.dealloc %key : memref<?xindex>
  memref.dealloc %value : memref<?xf32>
  return
}

// The least value and the last place, of a nest: equal candidates replace each other. What the branch loads
// again is the same.
//
// test: run --entry=last --arg=zeros --arg=zeros --arg=random:1
// expect: arg 0 = [0, 0, 0, 0, 0]
// expect: arg 1 = [201, 161, 121, 281, 241]
func.func @last(%min: memref<1x5xi32>, %at: memref<1x5xi32>, %seed: memref<30xi32>) {
  %c0 = arith.constant 0 : index
  %three = arith.constant 3 : i32
  %key = memref.alloc() : memref<30xi32>
  affine.for %i = 0 to 5 {
    affine.store %three, %min[0, %i] : memref<1x5xi32>
  }
  affine.for %i = 0 to 30 {
    %k = affine.apply affine_map<(d0) -> (d0 mod 5)>(%i)
    %c = arith.index_cast %k : index to i32
    affine.store %c, %key[%i] : memref<30xi32>
    %r = affine.apply affine_map<(d0) -> ((d0 * 7) mod 4)>(%i)
    %v = arith.index_cast %r : index to i32
    affine.store %v, %seed[%i] : memref<30xi32>
  }
  affine.for %i = 0 to 30 {
    affine.for %j = 0 to 2 {
      %n = affine.load %key[%i] : memref<30xi32>
      %k = arith.index_cast %n : i32 to index
      %v = affine.load %seed[%i] : memref<30xi32>
      %m = memref.load %min[%c0, %k] : memref<1x5xi32>
      %c = arith.cmpi sle, %v, %m : i32
      scf.if %c {
        %again = affine.load %seed[%i] : memref<30xi32>
        %o = affine.load %key[%i] : memref<30xi32>
        %l = arith.index_cast %o : i32 to index
        memref.store %again, %min[%c0, %l] : memref<1x5xi32>
        %p = affine.apply affine_map<(d0, d1) -> (d0 * 10 + d1)>(%i, %j)
        %w = arith.index_cast %p : index to i32
        memref.store %w, %at[%c0, %l] : memref<1x5xi32>
      }
    }
  }
  memref.dealloc %key : memref<30xi32>
  return
}
