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
