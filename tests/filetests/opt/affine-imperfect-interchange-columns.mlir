// A triangular recurrence for many right-hand sides: the loop over these, which both statements have, becomes the outermost. Not where
// neighbouring columns meet, nor where another loop inside is parallel as well.
// test: opt --affine-imperfect-interchange
// test: run-opt --entry=solve --arg=iota --arg=iota --arg=zeros
// test: run --entry=solve --arg=iota --arg=iota --arg=zeros
// test: run --entry=solve --arg=iota --arg=iota --arg=zeros --map-for=gpu
// expect: arg 2 = [528, -330, 1782, -22704]
// test: run-opt --entry=meets --arg=iota --arg=iota --arg=zeros
// expect: arg 2 = [256, 288, -975, 5306]
// test: run-opt --entry=also --arg=iota --arg=iota --arg=zeros
// expect: arg 2 = [8646, 8646, 8646, 8646]

func.func @solve(%l: memref<4x4xi32>, %b: memref<4x33xi32>, %r: memref<4xi32>) {
  %0:3 = memref.distinct_objects %l, %b, %r : memref<4x4xi32>, memref<4x33xi32>, memref<4xi32>
  affine.for %i = 0 to 4 {
    affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.for %j = 0 to 33 {
        %x = affine.load %0#0[%i, %k] : memref<4x4xi32>
        %y = affine.load %0#1[%k, %j] : memref<4x33xi32>
        %z = affine.load %0#1[%i, %j] : memref<4x33xi32>
        %p = arith.muli %x, %y : i32
        %d = arith.subi %z, %p : i32
        affine.store %d, %0#1[%i, %j] : memref<4x33xi32>
      }
    }
    %o = affine.load %0#0[%i, %i] : memref<4x4xi32>
    affine.for %j = 0 to 33 {
      %y = affine.load %0#1[%i, %j] : memref<4x33xi32>
      %p = arith.addi %y, %o : i32
      affine.store %p, %0#1[%i, %j] : memref<4x33xi32>
    }
  }
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 4 {
    %s = affine.for %j = 0 to 33 iter_args(%a = %zero) -> i32 {
      %y = affine.load %0#1[%i, %j] : memref<4x33xi32>
      %c = arith.addi %a, %y : i32
      affine.yield %c : i32
    }
    affine.store %s, %0#2[%i] : memref<4xi32>
  }
  return
}

// Each column also takes from the one before.
func.func @meets(%l: memref<4x4xi32>, %b: memref<4x33xi32>, %r: memref<4xi32>) {
  %0:3 = memref.distinct_objects %l, %b, %r : memref<4x4xi32>, memref<4x33xi32>, memref<4xi32>
  affine.for %i = 0 to 4 {
    affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.for %j = 0 to 33 {
        %x = affine.load %0#0[%i, %k] : memref<4x4xi32>
        %y = affine.load %0#1[%k, 32 - %j] : memref<4x33xi32>
        %z = affine.load %0#1[%i, %j] : memref<4x33xi32>
        %p = arith.muli %x, %y : i32
        %d = arith.subi %z, %p : i32
        affine.store %d, %0#1[%i, %j] : memref<4x33xi32>
      }
    }
    affine.for %j = 0 to 33 {
      %y = affine.load %0#1[%i, %j] : memref<4x33xi32>
      %o = arith.constant 1 : i32
      %p = arith.shrsi %y, %o : i32
      affine.store %p, %0#1[%i, %j] : memref<4x33xi32>
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 33 {
      %y = affine.load %0#1[%i, %j] : memref<4x33xi32>
      %a = affine.load %0#2[%i] : memref<4xi32>
      %c = arith.addi %a, %y : i32
      affine.store %c, %0#2[%i] : memref<4xi32>
    }
  }
  return
}

// A step in time for each point of a field: both loops of the second statement are parallel.
func.func @also(%l: memref<4x4xi32>, %b: memref<4x33xi32>, %r: memref<4xi32>) {
  %0:3 = memref.distinct_objects %l, %b, %r : memref<4x4xi32>, memref<4x33xi32>, memref<4xi32>
  %f = memref.alloc() : memref<16x33xi32>
  %zero = arith.constant 0 : i32
  affine.for %k = 0 to 16 {
    affine.for %j = 0 to 33 {
      affine.store %zero, %f[%k, %j] : memref<16x33xi32>
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 33 {
      %y = affine.load %0#1[%i, %j] : memref<4x33xi32>
      %z = affine.load %f[0, %j] : memref<16x33xi32>
      %p = arith.addi %y, %z : i32
      affine.store %p, %f[0, %j] : memref<16x33xi32>
    }
    affine.for %k = 1 to 16 {
      affine.for %j = 0 to 33 {
        %y = affine.load %0#1[%i, %j] : memref<4x33xi32>
        %z = affine.load %f[%k, %j] : memref<16x33xi32>
        %p = arith.addi %y, %z : i32
        affine.store %p, %f[%k, %j] : memref<16x33xi32>
      }
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 33 {
      %y = affine.load %f[%i * 5, %j] : memref<16x33xi32>
      %a = affine.load %0#2[%i] : memref<4xi32>
      %c = arith.addi %a, %y : i32
      affine.store %c, %0#2[%i] : memref<4xi32>
    }
  }
  memref.dealloc %f : memref<16x33xi32>
  return
}
