// test: opt --affine-mark-inbounds --affine-map-to-gpu --canonicalize --cse --merge-adjacent-accesses --canonicalize --cse
// test: run-opt --entry=star --arg=random:1 --arg=zeros
// test: run-opt --entry=odd --arg=random:1 --arg=zeros
// test: run-opt --entry=stream --arg=random:1 --arg=random:2 --arg=zeros
// test: run-opt --entry=transposed --arg=random:1 --arg=random:2 --arg=zeros

// On a GPU, tiles of a stencil are runs of four neighbours, which begin at multiples of four of the row, and are
// loaded and stored as vectors.
func.func @star(%a: memref<1026x520xf32>, %b: memref<1026x520xf32>) {
  %0:2 = memref.distinct_objects %a, %b : memref<1026x520xf32>, memref<1026x520xf32>
  affine.for %i = 1 to 1025 {
    affine.for %j = 1 to 519 {
      %c = affine.load %0#0[%i, %j] : memref<1026x520xf32>
      %w = affine.load %0#0[%i, %j - 1] : memref<1026x520xf32>
      %e = affine.load %0#0[%i, %j + 1] : memref<1026x520xf32>
      %n = affine.load %0#0[%i - 1, %j] : memref<1026x520xf32>
      %s = affine.load %0#0[%i + 1, %j] : memref<1026x520xf32>
      %1 = arith.addf %c, %w : f32
      %2 = arith.addf %1, %e : f32
      %3 = arith.addf %2, %n : f32
      %4 = arith.addf %3, %s : f32
      affine.store %4, %0#1[%i, %j] : memref<1026x520xf32>
    }
  }
  return
}

// Rows of odd length have no vectors: adjacent threads have adjacent iterations.
func.func @odd(%a: memref<1027x519xf32>, %b: memref<1027x519xf32>) {
  %0:2 = memref.distinct_objects %a, %b : memref<1027x519xf32>, memref<1027x519xf32>
  affine.for %i = 1 to 1026 {
    affine.for %j = 1 to 518 {
      %w = affine.load %0#0[%i, %j - 1] : memref<1027x519xf32>
      %e = affine.load %0#0[%i, %j + 1] : memref<1027x519xf32>
      %n = affine.load %0#0[%i - 1, %j] : memref<1027x519xf32>
      %1 = arith.addf %w, %e : f32
      %2 = arith.addf %1, %n : f32
      affine.store %2, %0#1[%i, %j] : memref<1027x519xf32>
    }
  }
  return
}

// A thread loads and stores one vector of each array, all loads before the store.
func.func @stream(%a: memref<524288xf32>, %b: memref<524288xf32>, %c: memref<524288xf32>) {
  %0:2 = memref.distinct_objects %a, %c : memref<524288xf32>, memref<524288xf32>
  %1:2 = memref.distinct_objects %b, %0#1 : memref<524288xf32>, memref<524288xf32>
  affine.for %i = 0 to 524288 {
    %x = affine.load %0#0[%i] : memref<524288xf32>
    %y = affine.load %1#0[%i] : memref<524288xf32>
    %z = arith.addf %x, %y : f32
    affine.store %z, %1#1[%i] : memref<524288xf32>
  }
  return
}

// What a transposition loads across the threads' rows is a vector along the other loop, whose elements serve four
// rows of the tile.
func.func @transposed(%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>, %c: memref<1024x1024xf32>) {
  %0:2 = memref.distinct_objects %a, %c : memref<1024x1024xf32>, memref<1024x1024xf32>
  %1:2 = memref.distinct_objects %b, %0#1 : memref<1024x1024xf32>, memref<1024x1024xf32>
  affine.for %i = 0 to 1024 {
    affine.for %j = 0 to 1024 {
      %x = affine.load %0#0[%i, %j] : memref<1024x1024xf32>
      %y = affine.load %1#0[%j, %i] : memref<1024x1024xf32>
      %z = arith.addf %x, %y : f32
      affine.store %z, %1#1[%i, %j] : memref<1024x1024xf32>
    }
  }
  return
}
