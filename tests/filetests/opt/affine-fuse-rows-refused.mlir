// test: opt --affine-fuse-rows=target=cpu
// test: run-opt --entry=next_row --arg=iota --arg=zeros --arg=zeros

// The second nest needs the sum of the row behind its own.
func.func @next_row(%x: memref<65x32xi32>, %s: memref<65xi32>, %y: memref<65x32xi32>) {
  %0:3 = memref.distinct_objects %x, %y, %s : memref<65x32xi32>, memref<65x32xi32>, memref<65xi32>
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 64 {
    %t = affine.for %j = 0 to 32 iter_args(%a = %zero) -> (i32) {
      %v = affine.load %0#0[%i, %j] : memref<65x32xi32>
      %n = arith.addi %a, %v : i32
      affine.yield %n : i32
    }
    affine.store %t, %0#2[%i] : memref<65xi32>
  }
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 32 {
      %t = affine.load %0#2[%i + 1] : memref<65xi32>
      %v = affine.load %0#0[%i, %j] : memref<65x32xi32>
      %d = arith.subi %v, %t : i32
      affine.store %d, %0#1[%i, %j] : memref<65x32xi32>
    }
  }
  return
}

// Too few rows for a workgroup each.
func.func @few_rows(%x: memref<8x512xi32>, %s: memref<8xi32>, %y: memref<8x512xi32>) {
  %0:3 = memref.distinct_objects %x, %y, %s : memref<8x512xi32>, memref<8x512xi32>, memref<8xi32>
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 8 {
    %t = affine.for %j = 0 to 512 iter_args(%a = %zero) -> (i32) {
      %v = affine.load %0#0[%i, %j] : memref<8x512xi32>
      %n = arith.addi %a, %v : i32
      affine.yield %n : i32
    }
    affine.store %t, %0#2[%i] : memref<8xi32>
  }
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 512 {
      %t = affine.load %0#2[%i] : memref<8xi32>
      %v = affine.load %0#0[%i, %j] : memref<8x512xi32>
      %d = arith.subi %v, %t : i32
      affine.store %d, %0#1[%i, %j] : memref<8x512xi32>
    }
  }
  return
}

// Rows of four elements leave threads without work.
func.func @short_rows(%x: memref<512x4xi32>, %s: memref<512xi32>, %y: memref<512x4xi32>) {
  %0:3 = memref.distinct_objects %x, %y, %s : memref<512x4xi32>, memref<512x4xi32>, memref<512xi32>
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 512 {
    %t = affine.for %j = 0 to 4 iter_args(%a = %zero) -> (i32) {
      %v = affine.load %0#0[%i, %j] : memref<512x4xi32>
      %n = arith.addi %a, %v : i32
      affine.yield %n : i32
    }
    affine.store %t, %0#2[%i] : memref<512xi32>
  }
  affine.for %i = 0 to 512 {
    affine.for %j = 0 to 4 {
      %t = affine.load %0#2[%i] : memref<512xi32>
      %v = affine.load %0#0[%i, %j] : memref<512x4xi32>
      %d = arith.subi %v, %t : i32
      affine.store %d, %0#1[%i, %j] : memref<512x4xi32>
    }
  }
  return
}

// A product of matrices uses its rows again: tiles are better than a workgroup for each element.
func.func @product(%a: memref<64x64xi32>, %b: memref<64x64xi32>, %c: memref<64x64xi32>, %y: memref<64x64x64xi32>) {
  %0:4 = memref.distinct_objects %a, %b, %c, %y : memref<64x64xi32>, memref<64x64xi32>, memref<64x64xi32>, memref<64x64x64xi32>
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %t = affine.for %k = 0 to 64 iter_args(%s = %zero) -> (i32) {
        %v = affine.load %0#0[%i, %k] : memref<64x64xi32>
        %w = affine.load %0#1[%j, %k] : memref<64x64xi32>
        %p = arith.muli %v, %w : i32
        %n = arith.addi %s, %p : i32
        affine.yield %n : i32
      }
      affine.store %t, %0#2[%i, %j] : memref<64x64xi32>
    }
  }
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      affine.for %k = 0 to 64 {
        %t = affine.load %0#2[%i, %j] : memref<64x64xi32>
        affine.store %t, %0#3[%i, %j, %k] : memref<64x64x64xi32>
      }
    }
  }
  return
}
