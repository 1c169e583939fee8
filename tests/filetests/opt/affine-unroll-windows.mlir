// test: opt --affine-mark-inbounds --affine-unroll-windows
// test: run-opt --entry=stencil
// test: run-opt --entry=pool
// test: run-opt --entry=depthwise
// test: run-opt --entry=convolution
// test: run-opt --entry=long
// test: run-opt --entry=open --arg=random:1 --arg=zeros --arg=3
// test: run-opt --entry=blocks
// test: run-opt --entry=unproved --arg=random:1 --arg=zeros --arg=2

// Neighbouring iterations load two of three elements in common.
func.func @stencil(%x: memref<18xf32>, %y: memref<18xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<18xf32>, memref<18xf32>
  %z = arith.constant 0.0 : f32
  affine.for %i = 1 to 17 {
    %s = affine.for %w = -1 to 2 iter_args(%t = %z) -> (f32) {
      %v = affine.load %0#0[%i + %w] : memref<18xf32>
      %u = arith.addf %t, %v : f32
      affine.yield %u : f32
    }
    affine.store %s, %0#1[%i] : memref<18xf32>
  }
  return
}

// Windows of 3 by 3 two steps apart.
func.func @pool(%x: memref<9x9xf32>, %y: memref<4x4xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<9x9xf32>, memref<4x4xf32>
  %z = arith.constant -1.0 : f32
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      %m = affine.for %r = 0 to 3 iter_args(%t = %z) -> (f32) {
        %n = affine.for %s = 0 to 3 iter_args(%u = %t) -> (f32) {
          %v = affine.load %0#0[%i * 2 + %r, %j * 2 + %s] : memref<9x9xf32>
          %w = arith.maximumf %u, %v : f32
          affine.yield %w : f32
        }
        affine.yield %n : f32
      }
      affine.store %m, %0#1[%i, %j] : memref<4x4xf32>
    }
  }
  return
}

// The image moves with all loops, the filter with the channel.
func.func @depthwise(%x: memref<6x5xf32>, %k: memref<3x5xf32>, %y: memref<4x5xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<6x5xf32>, memref<4x5xf32>
  %1:2 = memref.distinct_objects %k, %0#1 : memref<3x5xf32>, memref<4x5xf32>
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 4 {
    affine.for %c = 0 to 5 {
      %s = affine.for %r = 0 to 3 iter_args(%t = %z) -> (f32) {
        %v = affine.load %0#0[%i + %r, %c] : memref<6x5xf32>
        %w = affine.load %1#0[%r, %c] : memref<3x5xf32>
        %p = arith.mulf %v, %w : f32
        %u = arith.addf %t, %p : f32
        affine.yield %u : f32
      }
      affine.store %s, %1#1[%i, %c] : memref<4x5xf32>
    }
  }
  return
}

// Stays: all features use the same window, so that it is a contraction.
func.func @convolution(%x: memref<6xf32>, %k: memref<3x5xf32>, %y: memref<4x5xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<6xf32>, memref<4x5xf32>
  %1:2 = memref.distinct_objects %k, %0#1 : memref<3x5xf32>, memref<4x5xf32>
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 4 {
    affine.for %f = 0 to 5 {
      %s = affine.for %r = 0 to 3 iter_args(%t = %z) -> (f32) {
        %v = affine.load %0#0[%i + %r] : memref<6xf32>
        %w = affine.load %1#0[%r, %f] : memref<3x5xf32>
        %p = arith.mulf %v, %w : f32
        %u = arith.addf %t, %p : f32
        affine.yield %u : f32
      }
      affine.store %s, %1#1[%i, %f] : memref<4x5xf32>
    }
  }
  return
}

// Stays: 33 rounds are too many.
func.func @long(%x: memref<40xf32>, %y: memref<8xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<40xf32>, memref<8xf32>
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 8 {
    %s = affine.for %w = 0 to 33 iter_args(%t = %z) -> (f32) {
      %v = affine.load %0#0[%i + %w] : memref<40xf32>
      %u = arith.addf %t, %v : f32
      affine.yield %u : f32
    }
    affine.store %s, %0#1[%i] : memref<8xf32>
  }
  return
}

// Stays: the number of rounds is not known.
func.func @open(%x: memref<16xf32>, %y: memref<8xf32>, %n: index) {
  %0:2 = memref.distinct_objects %x, %y : memref<16xf32>, memref<8xf32>
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 8 {
    %s = affine.for %w = 0 to %n iter_args(%t = %z) -> (f32) {
      %v = affine.load %0#0[%i + %w] : memref<16xf32>
      %u = arith.addf %t, %v : f32
      affine.yield %u : f32
    }
    affine.store %s, %0#1[%i] : memref<8xf32>
  }
  return
}

// Windows side by side have nothing in common, but their loads are on the way at once.
func.func @blocks(%x: memref<16xf32>, %y: memref<8xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<16xf32>, memref<8xf32>
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 8 {
    %s = affine.for %w = 0 to 2 iter_args(%t = %z) -> (f32) {
      %v = affine.load %0#0[%i * 2 + %w] : memref<16xf32>
      %u = arith.addf %t, %v : f32
      affine.yield %u : f32
    }
    affine.store %s, %0#1[%i] : memref<8xf32>
  }
  return
}

// Stays: what it loads is not proved in range.
func.func @unproved(%x: memref<16xf32>, %y: memref<8xf32>, %n: index) {
  %0:2 = memref.distinct_objects %x, %y : memref<16xf32>, memref<8xf32>
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 8 {
    %s = affine.for %w = 0 to 3 iter_args(%t = %z) -> (f32) {
      %v = affine.load %0#0[%i + %w + symbol(%n)] : memref<16xf32>
      %u = arith.addf %t, %v : f32
      affine.yield %u : f32
    }
    affine.store %s, %0#1[%i] : memref<8xf32>
  }
  return
}
