// Floats of 8 bits, held in memory: the value of every pattern, from the definition of the formats
// (Micikevicius et al., "FP8 formats for deep learning", 2022), computed by a program of its own.
//
// test: run --entry=values_f8e4m3fn --arg=zeros
// expect: arg 0 = [0, 0.001953125, 0.00390625, 0.005859375, 0.0078125, 0.009765625, 0.01171875, 0.013671875, 0.015625, 0.017578125, 0.01953125, 0.021484375, 0.0234375, 0.025390625, 0.02734375, 0.029296875, 0.03125, 0.03515625, 0.0390625, 0.04296875, 0.046875, 0.05078125, 0.0546875, 0.05859375, 0.0625, 0.0703125, 0.078125, 0.0859375, 0.09375, 0.1015625, 0.109375, 0.1171875, 0.125, 0.140625, 0.15625, 0.171875, 0.1875, 0.203125, 0.21875, 0.234375, 0.25, 0.28125, 0.3125, 0.34375, 0.375, 0.40625, 0.4375, 0.46875, 0.5, 0.5625, 0.625, 0.6875, 0.75, 0.8125, 0.875, 0.9375, 1, 1.125, 1.25, 1.375, 1.5, 1.625, 1.75, 1.875, 2, 2.25, 2.5, 2.75, 3, 3.25, 3.5, 3.75, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 26, 28, 30, 32, 36, 40, 44, 48, 52, 56, 60, 64, 72, 80, 88, 96, 104, 112, 120, 128, 144, 160, 176, 192, 208, 224, 240, 256, 288, 320, 352, 384, 416, 448, nan, -0, -0.001953125, -0.00390625, -0.005859375, -0.0078125, -0.009765625, -0.01171875, -0.013671875, -0.015625, -0.017578125, -0.01953125, -0.021484375, -0.0234375, -0.025390625, -0.02734375, -0.029296875, -0.03125, -0.03515625, -0.0390625, -0.04296875, -0.046875, -0.05078125, -0.0546875, -0.05859375, -0.0625, -0.0703125, -0.078125, -0.0859375, -0.09375, -0.1015625, -0.109375, -0.1171875, -0.125, -0.140625, -0.15625, -0.171875, -0.1875, -0.203125, -0.21875, -0.234375, -0.25, -0.28125, -0.3125, -0.34375, -0.375, -0.40625, -0.4375, -0.46875, -0.5, -0.5625, -0.625, -0.6875, -0.75, -0.8125, -0.875, -0.9375, -1, -1.125, -1.25, -1.375, -1.5, -1.625, -1.75, -1.875, -2, -2.25, -2.5, -2.75, -3, -3.25, -3.5, -3.75, -4, -4.5, -5, -5.5, -6, -6.5, -7, -7.5, -8, -9, -10, -11, -12, -13, -14, -15, -16, -18, -20, -22, -24, -26, -28, -30, -32, -36, -40, -44, -48, -52, -56, -60, -64, -72, -80, -88, -96, -104, -112, -120, -128, -144, -160, -176, -192, -208, -224, -240, -256, -288, -320, -352, -384, -416, -448, nan]
// test: run --entry=values_f8e5m2 --arg=zeros
// expect: arg 0 = [0, 0.0000152587890625, 0.000030517578125, 0.0000457763671875, 0.00006103515625, 0.0000762939453125, 0.000091552734375, 0.0001068115234375, 0.0001220703125, 0.000152587890625, 0.00018310546875, 0.000213623046875, 0.000244140625, 0.00030517578125, 0.0003662109375, 0.00042724609375, 0.00048828125, 0.0006103515625, 0.000732421875, 0.0008544921875, 0.0009765625, 0.001220703125, 0.00146484375, 0.001708984375, 0.001953125, 0.00244140625, 0.0029296875, 0.00341796875, 0.00390625, 0.0048828125, 0.005859375, 0.0068359375, 0.0078125, 0.009765625, 0.01171875, 0.013671875, 0.015625, 0.01953125, 0.0234375, 0.02734375, 0.03125, 0.0390625, 0.046875, 0.0546875, 0.0625, 0.078125, 0.09375, 0.109375, 0.125, 0.15625, 0.1875, 0.21875, 0.25, 0.3125, 0.375, 0.4375, 0.5, 0.625, 0.75, 0.875, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 896, 1024, 1280, 1536, 1792, 2048, 2560, 3072, 3584, 4096, 5120, 6144, 7168, 8192, 10240, 12288, 14336, 16384, 20480, 24576, 28672, 32768, 40960, 49152, 57344, inf, nan, nan, nan, -0, -0.0000152587890625, -0.000030517578125, -0.0000457763671875, -0.00006103515625, -0.0000762939453125, -0.000091552734375, -0.0001068115234375, -0.0001220703125, -0.000152587890625, -0.00018310546875, -0.000213623046875, -0.000244140625, -0.00030517578125, -0.0003662109375, -0.00042724609375, -0.00048828125, -0.0006103515625, -0.000732421875, -0.0008544921875, -0.0009765625, -0.001220703125, -0.00146484375, -0.001708984375, -0.001953125, -0.00244140625, -0.0029296875, -0.00341796875, -0.00390625, -0.0048828125, -0.005859375, -0.0068359375, -0.0078125, -0.009765625, -0.01171875, -0.013671875, -0.015625, -0.01953125, -0.0234375, -0.02734375, -0.03125, -0.0390625, -0.046875, -0.0546875, -0.0625, -0.078125, -0.09375, -0.109375, -0.125, -0.15625, -0.1875, -0.21875, -0.25, -0.3125, -0.375, -0.4375, -0.5, -0.625, -0.75, -0.875, -1, -1.25, -1.5, -1.75, -2, -2.5, -3, -3.5, -4, -5, -6, -7, -8, -10, -12, -14, -16, -20, -24, -28, -32, -40, -48, -56, -64, -80, -96, -112, -128, -160, -192, -224, -256, -320, -384, -448, -512, -640, -768, -896, -1024, -1280, -1536, -1792, -2048, -2560, -3072, -3584, -4096, -5120, -6144, -7168, -8192, -10240, -12288, -14336, -16384, -20480, -24576, -28672, -32768, -40960, -49152, -57344, -inf, nan, nan, nan]
func.func @values_f8e4m3fn(%out: memref<256xf32>) {
  %numbers = memref.alloc() : memref<256xf8E4M3FN>
  affine.for %i = 0 to 256 {
    %n = arith.index_cast %i : index to i32
    %b = arith.trunci %n : i32 to i8
    %x = arith.bitcast %b : i8 to f8E4M3FN
    affine.store %x, %numbers[%i] : memref<256xf8E4M3FN>
  }
  affine.for %i = 0 to 256 {
    %x = affine.load %numbers[%i] : memref<256xf8E4M3FN>
    %y = arith.extf %x : f8E4M3FN to f32
    affine.store %y, %out[%i] : memref<256xf32>
  }
  memref.dealloc %numbers : memref<256xf8E4M3FN>
  return
}

func.func @values_f8e5m2(%out: memref<256xf32>) {
  %numbers = memref.alloc() : memref<256xf8E5M2>
  affine.for %i = 0 to 256 {
    %n = arith.index_cast %i : index to i32
    %b = arith.trunci %n : i32 to i8
    %x = arith.bitcast %b : i8 to f8E5M2
    affine.store %x, %numbers[%i] : memref<256xf8E5M2>
  }
  affine.for %i = 0 to 256 {
    %x = affine.load %numbers[%i] : memref<256xf8E5M2>
    %y = arith.extf %x : f8E5M2 to f32
    affine.store %y, %out[%i] : memref<256xf32>
  }
  memref.dealloc %numbers : memref<256xf8E5M2>
  return
}

// Every pattern of the upper 13 bits of f32, rounded to the nearest number, ties to even: the sum of
// pattern times number, by the same program.
//
// test: run --entry=rounded_f8e4m3fn --arg=zeros
// expect: result 0 = 1590946696
// test: run --entry=rounded_f8e5m2 --arg=zeros
// expect: result 0 = 1533111008
// test: run --entry=rounded_f8e4m3 --arg=zeros
// expect: result 0 = 1451825896
// test: run --entry=rounded_f8e3m4 --arg=zeros
// expect: result 0 = 1285785448
func.func @rounded_f8e4m3fn(%numbers: memref<8192xf8E4M3FN>) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %place = arith.constant 19 : i32
  affine.for %i = 0 to 8192 {
    %n = arith.index_cast %i : index to i32
    %b = arith.shli %n, %place : i32
    %x = arith.bitcast %b : i32 to f32
    %y = arith.truncf %x : f32 to f8E4M3FN
    affine.store %y, %numbers[%i] : memref<8192xf8E4M3FN>
  }
  %sum = affine.for %i = 0 to 8192 iter_args(%s = %zero) -> i32 {
    %x = affine.load %numbers[%i] : memref<8192xf8E4M3FN>
    %b = arith.bitcast %x : f8E4M3FN to i8
    %p = arith.extui %b : i8 to i32
    %n = arith.index_cast %i : index to i32
    %m = arith.addi %n, %one : i32
    %t = arith.muli %p, %m : i32
    %r = arith.addi %s, %t : i32
    affine.yield %r : i32
  }
  return %sum : i32
}

func.func @rounded_f8e5m2(%numbers: memref<8192xf8E5M2>) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %place = arith.constant 19 : i32
  affine.for %i = 0 to 8192 {
    %n = arith.index_cast %i : index to i32
    %b = arith.shli %n, %place : i32
    %x = arith.bitcast %b : i32 to f32
    %y = arith.truncf %x : f32 to f8E5M2
    affine.store %y, %numbers[%i] : memref<8192xf8E5M2>
  }
  %sum = affine.for %i = 0 to 8192 iter_args(%s = %zero) -> i32 {
    %x = affine.load %numbers[%i] : memref<8192xf8E5M2>
    %b = arith.bitcast %x : f8E5M2 to i8
    %p = arith.extui %b : i8 to i32
    %n = arith.index_cast %i : index to i32
    %m = arith.addi %n, %one : i32
    %t = arith.muli %p, %m : i32
    %r = arith.addi %s, %t : i32
    affine.yield %r : i32
  }
  return %sum : i32
}

func.func @rounded_f8e4m3(%numbers: memref<8192xf8E4M3>) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %place = arith.constant 19 : i32
  affine.for %i = 0 to 8192 {
    %n = arith.index_cast %i : index to i32
    %b = arith.shli %n, %place : i32
    %x = arith.bitcast %b : i32 to f32
    %y = arith.truncf %x : f32 to f8E4M3
    affine.store %y, %numbers[%i] : memref<8192xf8E4M3>
  }
  %sum = affine.for %i = 0 to 8192 iter_args(%s = %zero) -> i32 {
    %x = affine.load %numbers[%i] : memref<8192xf8E4M3>
    %b = arith.bitcast %x : f8E4M3 to i8
    %p = arith.extui %b : i8 to i32
    %n = arith.index_cast %i : index to i32
    %m = arith.addi %n, %one : i32
    %t = arith.muli %p, %m : i32
    %r = arith.addi %s, %t : i32
    affine.yield %r : i32
  }
  return %sum : i32
}

func.func @rounded_f8e3m4(%numbers: memref<8192xf8E3M4>) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %place = arith.constant 19 : i32
  affine.for %i = 0 to 8192 {
    %n = arith.index_cast %i : index to i32
    %b = arith.shli %n, %place : i32
    %x = arith.bitcast %b : i32 to f32
    %y = arith.truncf %x : f32 to f8E3M4
    affine.store %y, %numbers[%i] : memref<8192xf8E3M4>
  }
  %sum = affine.for %i = 0 to 8192 iter_args(%s = %zero) -> i32 {
    %x = affine.load %numbers[%i] : memref<8192xf8E3M4>
    %b = arith.bitcast %x : f8E3M4 to i8
    %p = arith.extui %b : i8 to i32
    %n = arith.index_cast %i : index to i32
    %m = arith.addi %n, %one : i32
    %t = arith.muli %p, %m : i32
    %r = arith.addi %s, %t : i32
    affine.yield %r : i32
  }
  return %sum : i32
}
