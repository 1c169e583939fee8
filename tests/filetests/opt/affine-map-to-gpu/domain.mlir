// test: opt --affine-map-to-gpu=tile=4x2 --canonicalize --cse
// test: run-opt --entry=below --arg=random:1 --arg=random:2
// test: run-opt --entry=quotient --arg=iota --arg=zeros
// test: run-opt --entry=rows --arg=random:1 --arg=random:2
// A condition on counters around the body says which iterations of the box there are. Tiles whose corners pass it run
// without tests, those whose corners fail it do nothing. Of the others a part runs at a time: rows and columns without a
// point in the domain take the counter of others, and what depends on both is under the test of its point.
func.func @below(%a: memref<8x3xf32>, %c: memref<8x8xf32>) {
  %0:2 = memref.distinct_objects %a, %c : memref<8x3xf32>, memref<8x8xf32>
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      affine.if affine_set<(d0, d1) : (d0 - d1 >= 0)>(%i, %j) {
        %s = affine.for %k = 0 to 3 iter_args(%acc = %zero) -> (f32) {
          %x = affine.load %0#0[%i, %k] : memref<8x3xf32>
          %y = affine.load %0#0[%j, %k] : memref<8x3xf32>
          %p = arith.mulf %x, %y : f32
          %n = arith.addf %acc, %p : f32
          affine.yield %n : f32
        }
        affine.store %s, %0#1[%i, %j] : memref<8x8xf32>
      }
    }
  }
  return
}

// A quotient may be by zero where there is no iteration: points run one by one.
func.func @quotient(%a: memref<6xi32>, %c: memref<6x6xi32>) {
  %0:2 = memref.distinct_objects %a, %c : memref<6xi32>, memref<6x6xi32>
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 6 {
      affine.if affine_set<(d0, d1) : (d0 - d1 - 1 >= 0)>(%i, %j) {
        %d = affine.apply affine_map<(d0, d1) -> (d0 - d1)>(%i, %j)
        %by = arith.index_cast %d : index to i32
        %x = affine.load %0#0[%i] : memref<6xi32>
        %q = arith.divsi %x, %by : i32
        affine.store %q, %0#1[%i, %j] : memref<6x6xi32>
      }
    }
  }
  return
}

// Rows of a tile that sum up less and more: what they have in common side by side, the rest row by row.
func.func @rows(%a: memref<4x4xf32>, %c: memref<4x4xf32>) {
  %0:2 = memref.distinct_objects %a, %c : memref<4x4xf32>, memref<4x4xf32>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      %z = affine.load %0#1[%i, %j] : memref<4x4xf32>
      %s = affine.for %k = 0 to affine_map<(d0) -> (d0 + 1)>(%i) iter_args(%acc = %z) -> (f32) {
        %x = affine.load %0#0[%k, %j] : memref<4x4xf32>
        %n = arith.addf %acc, %x : f32
        affine.yield %n : f32
      }
      affine.store %s, %0#1[%i, %j] : memref<4x4xf32>
    }
  }
  return
}
