// Drivers that run kernels on the CPU: windows along rows are unrolled, those beside rows of channels stay loops.
// test: opt --affine-mark-inbounds --affine-unroll-windows=target=cpu
// test: run-opt --entry=filter
// test: run-opt --entry=channels

func.func @filter(%x: memref<6x9xf32>, %k: memref<2x2xf32>, %y: memref<5x8xf32>) {
  %0:3 = memref.distinct_objects %x, %k, %y : memref<6x9xf32>, memref<2x2xf32>, memref<5x8xf32>
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 8 {
      %s = affine.for %p = 0 to 2 iter_args(%t = %z) -> (f32) {
        %u = affine.for %q = 0 to 2 iter_args(%v = %t) -> (f32) {
          %a = affine.load %0#0[%i + %p, %j + %q] : memref<6x9xf32>
          %b = affine.load %0#1[%p, %q] : memref<2x2xf32>
          %c = arith.mulf %a, %b : f32
          %d = arith.addf %v, %c : f32
          affine.yield %d : f32
        }
        affine.yield %u : f32
      }
      affine.store %s, %0#2[%i, %j] : memref<5x8xf32>
    }
  }
  return
}

// Windows of rows of 8 channels.
func.func @channels(%x: memref<9x8xf32>, %y: memref<7x8xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<9x8xf32>, memref<7x8xf32>
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 7 {
    affine.for %c = 0 to 8 {
      %s = affine.for %p = 0 to 3 iter_args(%t = %z) -> (f32) {
        %a = affine.load %0#0[%i + %p, %c] : memref<9x8xf32>
        %d = arith.addf %t, %a : f32
        affine.yield %d : f32
      }
      affine.store %s, %0#1[%i, %c] : memref<7x8xf32>
    }
  }
  return
}

// Of a large window the rows are unrolled, and the loop over them stays.
// test: run-opt --entry=large
func.func @large(%x: memref<12x18xf32>, %y: memref<8x14xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<12x18xf32>, memref<8x14xf32>
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 14 {
      %s = affine.for %p = 0 to 5 iter_args(%t = %z) -> (f32) {
        %u = affine.for %q = 0 to 5 iter_args(%v = %t) -> (f32) {
          %a = affine.load %0#0[%i + %p, %j + %q] : memref<12x18xf32>
          %d = arith.addf %v, %a : f32
          affine.yield %d : f32
        }
        affine.yield %u : f32
      }
      affine.store %s, %0#1[%i, %j] : memref<8x14xf32>
    }
  }
  return
}

// Rows may be longer than a loop that does not go along them.
// test: run-opt --entry=long_rows
func.func @long_rows(%x: memref<4x40xf32>, %y: memref<4x22xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<4x40xf32>, memref<4x22xf32>
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 22 {
      %s = affine.for %q = 0 to 19 iter_args(%v = %z) -> (f32) {
        %a = affine.load %0#0[%i, %j + %q] : memref<4x40xf32>
        %d = arith.addf %v, %a : f32
        affine.yield %d : f32
      }
      affine.store %s, %0#1[%i, %j] : memref<4x22xf32>
    }
  }
  return
}

// Left alone: columns of 17, no row of which is short enough with them.
// test: run-opt --entry=columns
func.func @columns(%x: memref<24x12xf32>, %y: memref<8x10xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<24x12xf32>, memref<8x10xf32>
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 10 {
      %s = affine.for %q = 0 to 3 iter_args(%t = %z) -> (f32) {
        %u = affine.for %p = 0 to 17 iter_args(%v = %t) -> (f32) {
          %a = affine.load %0#0[%i + %p, %j + %q] : memref<24x12xf32>
          %d = arith.addf %v, %a : f32
          affine.yield %d : f32
        }
        affine.yield %u : f32
      }
      affine.store %s, %0#1[%i, %j] : memref<8x10xf32>
    }
  }
  return
}
