// except: SwiftShader: flushes subnormal numbers, so strict floats are refused there
// test: run --fp=strict --entry=sizes --arg=zeros
// expect: arg 0 = [50, 49, 45, 44, 47]

// Keys i mod 5 and values (37 i mod 101) - 50, of which Python says the extremes of 80.
func.func private @data(%keys: memref<?xi32>, %values: memref<?xf32>, %n: index) {
  affine.for %i = 0 to %n {
    %five = arith.constant 5 : index
    %k = arith.remui %i, %five : index
    %key = arith.index_cast %k : index to i32
    memref.store %key, %keys[%i] : memref<?xi32>
    %v = affine.apply affine_map<(d0) -> ((d0 * 37) mod 101 - 50)>(%i)
    %w = arith.index_cast %v : index to i32
    %value = arith.sitofp %w : i32 to f32
    memref.store %value, %values[%i] : memref<?xf32>
  }
  return
}

// Absolute values have one zero: strict floats give up no bit.
func.func @sizes(%most: memref<5xf32>) {
  %n = arith.constant 80 : index
  %keys = memref.alloc(%n) : memref<?xi32>
  %values = memref.alloc(%n) : memref<?xf32>
  call @data(%keys, %values, %n) : (memref<?xi32>, memref<?xf32>, index) -> ()
  affine.for %i = 0 to 80 {
    %key = affine.load %keys[%i] : memref<?xi32>
    %k = arith.index_cast %key : i32 to index
    %x = affine.load %values[%i] : memref<?xf32>
    %size = math.absf %x : f32
    %held = memref.load %most[%k] : memref<5xf32>
    %better = arith.cmpf ogt, %size, %held : f32
    scf.if %better {
      memref.store %size, %most[%k] : memref<5xf32>
    }
  }
  memref.dealloc %keys : memref<?xi32>
  memref.dealloc %values : memref<?xf32>
  return
}
