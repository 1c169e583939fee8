// Extrema that a condition keeps at elements which data chooses. The data of @data: key i mod 5, value
// (37 i mod 101) - 50; the extremes of 80 of them, and the zeros that the bins start from, are Python's.
// test: run --entry=greatest --arg=zeros --arg=zeros
// expect: arg 0 = [50, 37, 40, 44, 47]
// expect: arg 1 = [-50, -49, -45, -42, -39]
// test: run --entry=read_again --arg=zeros --arg=80
// expect: arg 0 = [50, 37, 40, 44, 47]
// test: run --entry=read_again --arg=zeros --arg=0
// expect: arg 0 = [0, 0, 0, 0, 0]
// test: run --entry=otherwise --arg=zeros
// expect: arg 0 = [50, 37, 40, 44, 47]
// test: run --entry=given --arg=zeros
// expect: arg 0 = [-50, -49, -45, -42, -39]
// test: run --entry=unsigned --arg=zeros
// expect: arg 0 = [255, 243, 246, 249, 253]
// test: run --entry=guarded --arg=zeros
// expect: arg 0 = [50, 37, 24, 44, 30]
// test: run --entry=rows --arg=zeros
// expect: arg 0 = [50, 49, 47]
// test: run --entry=special --arg=zeros
// expect: arg 0 = [nan, inf, 7, -inf, 1]
// test: run --entry=many --arg=zeros --arg=zeros
// expect: arg 0 = [50, 50, 50, 50, 50]
// expect: arg 1 = [-50, -50, -50, -50, -50]
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

// Greater ones and less ones, as integers and as floats.
func.func @greatest(%most: memref<5xi32>, %least: memref<5xf32>) {
  %n = arith.constant 80 : index
  %keys = memref.alloc(%n) : memref<?xi32>
  %values = memref.alloc(%n) : memref<?xf32>
  call @data(%keys, %values, %n) : (memref<?xi32>, memref<?xf32>, index) -> ()
  affine.for %i = 0 to 80 {
    %key = affine.load %keys[%i] : memref<?xi32>
    %k = arith.index_cast %key : i32 to index
    %x = affine.load %values[%i] : memref<?xf32>
    %w = arith.fptosi %x : f32 to i32
    %held = memref.load %most[%k] : memref<5xi32>
    %better = arith.cmpi sgt, %w, %held : i32
    scf.if %better {
      memref.store %w, %most[%k] : memref<5xi32>
    }
  }
  affine.for %i = 0 to 80 {
    %key = affine.load %keys[%i] : memref<?xi32>
    %k = arith.index_cast %key : i32 to index
    %x = affine.load %values[%i] : memref<?xf32>
    %held = memref.load %least[%k] : memref<5xf32>
    %better = arith.cmpf ogt, %held, %x : f32
    scf.if %better {
      memref.store %x, %least[%k] : memref<5xf32>
    }
  }
  memref.dealloc %keys : memref<?xi32>
  memref.dealloc %values : memref<?xf32>
  return
}

// As front ends for C write `if (values[i] > m[keys[i]]) m[keys[i]] = values[i];`.
func.func @read_again(%most: memref<5xf32>, %n: index) {
  %keys = memref.alloc(%n) : memref<?xi32>
  %values = memref.alloc(%n) : memref<?xf32>
  call @data(%keys, %values, %n) : (memref<?xi32>, memref<?xf32>, index) -> ()
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %values[%i] : memref<?xf32>
    %key = memref.load %keys[%i] : memref<?xi32>
    %k = arith.index_cast %key : i32 to index
    %held = memref.load %most[%k] : memref<5xf32>
    %better = arith.cmpf ogt, %x, %held : f32
    scf.if %better {
      %again = memref.load %values[%i] : memref<?xf32>
      %key_again = memref.load %keys[%i] : memref<?xi32>
      %k_again = arith.index_cast %key_again : i32 to index
      memref.store %again, %most[%k_again] : memref<5xf32>
    }
  }
  memref.dealloc %keys : memref<?xi32>
  memref.dealloc %values : memref<?xf32>
  return
}

// The store is in the branch for the rest.
func.func @otherwise(%most: memref<5xf32>) {
  %n = arith.constant 80 : index
  %keys = memref.alloc(%n) : memref<?xi32>
  %values = memref.alloc(%n) : memref<?xf32>
  call @data(%keys, %values, %n) : (memref<?xi32>, memref<?xf32>, index) -> ()
  affine.for %i = 0 to 80 {
    %key = affine.load %keys[%i] : memref<?xi32>
    %k = arith.index_cast %key : i32 to index
    %x = affine.load %values[%i] : memref<?xf32>
    %held = memref.load %most[%k] : memref<5xf32>
    %stays = arith.cmpf uge, %held, %x : f32
    scf.if %stays {
    } else {
      memref.store %x, %most[%k] : memref<5xf32>
    }
  }
  memref.dealloc %keys : memref<?xi32>
  memref.dealloc %values : memref<?xf32>
  return
}

// As front ends for C write `m[k] = x < m[k] ? x : m[k];`.
func.func @given(%least: memref<5xi32>) {
  %n = arith.constant 80 : index
  %keys = memref.alloc(%n) : memref<?xi32>
  %values = memref.alloc(%n) : memref<?xf32>
  call @data(%keys, %values, %n) : (memref<?xi32>, memref<?xf32>, index) -> ()
  affine.for %i = 0 to 80 {
    %key = affine.load %keys[%i] : memref<?xi32>
    %k = arith.index_cast %key : i32 to index
    %x = affine.load %values[%i] : memref<?xf32>
    %w = arith.fptosi %x : f32 to i32
    %held = memref.load %least[%k] : memref<5xi32>
    %better = arith.cmpi slt, %w, %held : i32
    %new = scf.if %better -> (i32) {
      scf.yield %w : i32
    } else {
      %again = memref.load %least[%k] : memref<5xi32>
      scf.yield %again : i32
    }
    memref.store %new, %least[%k] : memref<5xi32>
  }
  memref.dealloc %keys : memref<?xi32>
  memref.dealloc %values : memref<?xf32>
  return
}

// Bytes without a sign: -1 is 255.
func.func @unsigned(%most: memref<5xi32>) {
  %n = arith.constant 80 : index
  %keys = memref.alloc(%n) : memref<?xi32>
  %values = memref.alloc(%n) : memref<?xf32>
  %bytes = memref.alloc() : memref<5xi8>
  %zero = arith.constant 0 : i8
  call @data(%keys, %values, %n) : (memref<?xi32>, memref<?xf32>, index) -> ()
  affine.for %i = 0 to 5 {
    affine.store %zero, %bytes[%i] : memref<5xi8>
  }
  affine.for %i = 0 to 80 {
    %key = affine.load %keys[%i] : memref<?xi32>
    %k = arith.index_cast %key : i32 to index
    %x = affine.load %values[%i] : memref<?xf32>
    %w = arith.fptosi %x : f32 to i8
    %held = memref.load %bytes[%k] : memref<5xi8>
    %better = arith.cmpi uge, %w, %held : i8
    %new = arith.select %better, %w, %held : i8
    memref.store %new, %bytes[%k] : memref<5xi8>
  }
  affine.for %i = 0 to 5 {
    %b = affine.load %bytes[%i] : memref<5xi8>
    %w = arith.extui %b : i8 to i32
    affine.store %w, %most[%i] : memref<5xi32>
  }
  memref.dealloc %keys : memref<?xi32>
  memref.dealloc %values : memref<?xf32>
  memref.dealloc %bytes : memref<5xi8>
  return
}

// Even iterations alone.
func.func @guarded(%most: memref<5xi32>) {
  %n = arith.constant 80 : index
  %keys = memref.alloc(%n) : memref<?xi32>
  %values = memref.alloc(%n) : memref<?xf32>
  call @data(%keys, %values, %n) : (memref<?xi32>, memref<?xf32>, index) -> ()
  affine.for %i = 0 to 80 {
    affine.if affine_set<(d0) : (d0 mod 2 == 0)>(%i) {
      %key = affine.load %keys[%i] : memref<?xi32>
      %k = arith.index_cast %key : i32 to index
      %x = affine.load %values[%i] : memref<?xf32>
      %w = arith.fptosi %x : f32 to i32
      %held = memref.load %most[%k] : memref<5xi32>
      %better = arith.cmpi sgt, %w, %held : i32
      scf.if %better {
        memref.store %w, %most[%k] : memref<5xi32>
      }
    }
  }
  memref.dealloc %keys : memref<?xi32>
  memref.dealloc %values : memref<?xf32>
  return
}

// The row chooses the element, for all columns: rows 0 to 9 of 8 values go to bin row mod 3 by a key.
func.func @rows(%most: memref<3xf32>) {
  %n = arith.constant 80 : index
  %keys = memref.alloc(%n) : memref<?xi32>
  %values = memref.alloc(%n) : memref<?xf32>
  %bins = memref.alloc() : memref<10xindex>
  %three = arith.constant 3 : index
  call @data(%keys, %values, %n) : (memref<?xi32>, memref<?xf32>, index) -> ()
  affine.for %i = 0 to 10 {
    %k = arith.remui %i, %three : index
    affine.store %k, %bins[%i] : memref<10xindex>
  }
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 8 {
      %k = affine.load %bins[%i] : memref<10xindex>
      %x = affine.load %values[%i * 8 + %j] : memref<?xf32>
      %held = memref.load %most[%k] : memref<3xf32>
      %better = arith.cmpf olt, %held, %x : f32
      scf.if %better {
        memref.store %x, %most[%k] : memref<3xf32>
      }
    }
  }
  memref.dealloc %keys : memref<?xi32>
  memref.dealloc %values : memref<?xf32>
  memref.dealloc %bins : memref<10xindex>
  return
}

// NaN is never taken and, where it is held, never replaced: bin 0 holds it from the start. Bin 1 meets NaN
// and an infinity, bin 2 NaN and 7, bin 3 only NaN, bin 4 holds 1.
func.func @special(%most: memref<5xf32>) {
  %nan = arith.constant 0x7FC00000 : f32
  %inf = arith.constant 0x7F800000 : f32
  %bottom = arith.constant 0xFF800000 : f32
  %one = arith.constant 1.0 : f32
  %seven = arith.constant 7.0 : f32
  %keys = memref.alloc() : memref<20xindex>
  %values = memref.alloc() : memref<20xf32>
  %five = arith.constant 5 : index
  affine.for %i = 0 to 20 {
    %k = arith.remui %i, %five : index
    affine.store %k, %keys[%i] : memref<20xindex>
    affine.store %nan, %values[%i] : memref<20xf32>
  }
  affine.store %one, %values[5] : memref<20xf32>
  affine.store %one, %values[6] : memref<20xf32>
  affine.store %inf, %values[11] : memref<20xf32>
  affine.store %seven, %values[12] : memref<20xf32>
  affine.for %i = 0 to 4 {
    affine.store %bottom, %most[%i] : memref<5xf32>
  }
  affine.store %nan, %most[0] : memref<5xf32>
  affine.store %one, %most[4] : memref<5xf32>
  affine.for %i = 0 to 20 {
    %k = affine.load %keys[%i] : memref<20xindex>
    %x = affine.load %values[%i] : memref<20xf32>
    %held = memref.load %most[%k] : memref<5xf32>
    %better = arith.cmpf ogt, %x, %held : f32
    scf.if %better {
      memref.store %x, %most[%k] : memref<5xf32>
    }
  }
  memref.dealloc %keys : memref<20xindex>
  memref.dealloc %values : memref<20xf32>
  return
}

// Enough iterations for threads to have arrays of their own on drivers that run kernels on the CPU.
func.func @many(%most: memref<5xf32>, %least: memref<5xi32>) {
  %n = arith.constant 3000 : index
  %keys = memref.alloc(%n) : memref<?xi32>
  %values = memref.alloc(%n) : memref<?xf32>
  call @data(%keys, %values, %n) : (memref<?xi32>, memref<?xf32>, index) -> ()
  affine.for %i = 0 to 3000 {
    %key = affine.load %keys[%i] : memref<?xi32>
    %k = arith.index_cast %key : i32 to index
    %x = affine.load %values[%i] : memref<?xf32>
    %held = memref.load %most[%k] : memref<5xf32>
    %better = arith.cmpf oge, %x, %held : f32
    scf.if %better {
      memref.store %x, %most[%k] : memref<5xf32>
    }
  }
  affine.for %i = 0 to 3000 {
    %key = affine.load %keys[%i] : memref<?xi32>
    %k = arith.index_cast %key : i32 to index
    %x = affine.load %values[%i] : memref<?xf32>
    %w = arith.fptosi %x : f32 to i32
    %held = memref.load %least[%k] : memref<5xi32>
    %better = arith.cmpi sle, %w, %held : i32
    scf.if %better {
      memref.store %w, %least[%k] : memref<5xi32>
    }
  }
  memref.dealloc %keys : memref<?xi32>
  memref.dealloc %values : memref<?xf32>
  return
}
