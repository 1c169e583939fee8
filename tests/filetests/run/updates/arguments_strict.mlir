// Zeros of both signs are equal: the first one stays, with its sign. NaN is neither taken nor replaced.
//
// except: SwiftShader: it flushes subnormal numbers, so strict floats are refused
// test: run --fp=strict --entry=zeros --arg=zeros --arg=zeros
// expect: arg 0 = [-0, 0, nan, 1]
// expect: arg 1 = [0, 5, 0, 3]
func.func @zeros(%max: memref<4xf32>, %at: memref<4xi32>) {
  %less = arith.constant -1.0 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %plus = arith.constant 0.0 : f32
  %minus = arith.constant -0.0 : f32
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %key = memref.alloc() : memref<8xindex>
  %value = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 4 {
    affine.store %less, %max[%i] : memref<4xf32>
  }
  affine.store %nan, %max[2] : memref<4xf32>
  // -0 and 0 of key 0; 0 and -0 of key 1; 1 of key 2, NaN and 1 of key 3.
  affine.store %c0, %key[0] : memref<8xindex>
  affine.store %minus, %value[0] : memref<8xf32>
  affine.store %c0, %key[1] : memref<8xindex>
  affine.store %plus, %value[1] : memref<8xf32>
  affine.store %c3, %key[2] : memref<8xindex>
  affine.store %nan, %value[2] : memref<8xf32>
  affine.store %c3, %key[3] : memref<8xindex>
  affine.store %one, %value[3] : memref<8xf32>
  affine.store %c2, %key[4] : memref<8xindex>
  affine.store %one, %value[4] : memref<8xf32>
  affine.store %c1, %key[5] : memref<8xindex>
  affine.store %plus, %value[5] : memref<8xf32>
  affine.store %c1, %key[6] : memref<8xindex>
  affine.store %minus, %value[6] : memref<8xf32>
  affine.store %c0, %key[7] : memref<8xindex>
  affine.store %plus, %value[7] : memref<8xf32>
  affine.for %i = 0 to 8 {
    %k = affine.load %key[%i] : memref<8xindex>
    %v = affine.load %value[%i] : memref<8xf32>
    %m = memref.load %max[%k] : memref<4xf32>
    %c = arith.cmpf ogt, %v, %m : f32
    scf.if %c {
      memref.store %v, %max[%k] : memref<4xf32>
      %p = arith.index_cast %i : index to i32
      memref.store %p, %at[%k] : memref<4xi32>
    }
  }
  memref.dealloc %key : memref<8xindex>
  memref.dealloc %value : memref<8xf32>
  return
}
