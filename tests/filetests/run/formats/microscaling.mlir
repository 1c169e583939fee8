// Floats of 4, 6 and 8 bits of OCP's microscaling formats and of the formats without minus zero, held in memory: the value of
// every pattern, by the `ml_dtypes` package of NumPy; and weights of 4 bits with a scale for each block of 8.
//
// test: run --entry=values_f4e2m1fn --arg=zeros
// expect: arg 0 = [0, 0.5, 1, 1.5, 2, 3, 4, 6, -0, -0.5, -1, -1.5, -2, -3, -4, -6]
// test: run --entry=values_f6e2m3fn --arg=zeros
// expect: arg 0 = [0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1, 1.125, 1.25, 1.375, 1.5, 1.625, 1.75, 1.875, 2, 2.25, 2.5, 2.75, 3, 3.25, 3.5, 3.75, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, -0, -0.125, -0.25, -0.375, -0.5, -0.625, -0.75, -0.875, -1, -1.125, -1.25, -1.375, -1.5, -1.625, -1.75, -1.875, -2, -2.25, -2.5, -2.75, -3, -3.25, -3.5, -3.75, -4, -4.5, -5, -5.5, -6, -6.5, -7, -7.5]
// test: run --entry=values_f6e3m2fn --arg=zeros
// expect: arg 0 = [0, 0.0625, 0.125, 0.1875, 0.25, 0.3125, 0.375, 0.4375, 0.5, 0.625, 0.75, 0.875, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, -0, -0.0625, -0.125, -0.1875, -0.25, -0.3125, -0.375, -0.4375, -0.5, -0.625, -0.75, -0.875, -1, -1.25, -1.5, -1.75, -2, -2.5, -3, -3.5, -4, -5, -6, -7, -8, -10, -12, -14, -16, -20, -24, -28]
// test: run --entry=values_f8e4m3fnuz --arg=zeros
// expect: arg 0 = [0, 0.0009765625, 0.001953125, 0.0029296875, 0.00390625, 0.0048828125, 0.005859375, 0.0068359375, 0.0078125, 0.0087890625, 0.009765625, 0.0107421875, 0.01171875, 0.0126953125, 0.013671875, 0.0146484375, 0.015625, 0.017578125, 0.01953125, 0.021484375, 0.0234375, 0.025390625, 0.02734375, 0.029296875, 0.03125, 0.03515625, 0.0390625, 0.04296875, 0.046875, 0.05078125, 0.0546875, 0.05859375, 0.0625, 0.0703125, 0.078125, 0.0859375, 0.09375, 0.1015625, 0.109375, 0.1171875, 0.125, 0.140625, 0.15625, 0.171875, 0.1875, 0.203125, 0.21875, 0.234375, 0.25, 0.28125, 0.3125, 0.34375, 0.375, 0.40625, 0.4375, 0.46875, 0.5, 0.5625, 0.625, 0.6875, 0.75, 0.8125, 0.875, 0.9375, 1, 1.125, 1.25, 1.375, 1.5, 1.625, 1.75, 1.875, 2, 2.25, 2.5, 2.75, 3, 3.25, 3.5, 3.75, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 26, 28, 30, 32, 36, 40, 44, 48, 52, 56, 60, 64, 72, 80, 88, 96, 104, 112, 120, 128, 144, 160, 176, 192, 208, 224, 240, nan, -0.0009765625, -0.001953125, -0.0029296875, -0.00390625, -0.0048828125, -0.005859375, -0.0068359375, -0.0078125, -0.0087890625, -0.009765625, -0.0107421875, -0.01171875, -0.0126953125, -0.013671875, -0.0146484375, -0.015625, -0.017578125, -0.01953125, -0.021484375, -0.0234375, -0.025390625, -0.02734375, -0.029296875, -0.03125, -0.03515625, -0.0390625, -0.04296875, -0.046875, -0.05078125, -0.0546875, -0.05859375, -0.0625, -0.0703125, -0.078125, -0.0859375, -0.09375, -0.1015625, -0.109375, -0.1171875, -0.125, -0.140625, -0.15625, -0.171875, -0.1875, -0.203125, -0.21875, -0.234375, -0.25, -0.28125, -0.3125, -0.34375, -0.375, -0.40625, -0.4375, -0.46875, -0.5, -0.5625, -0.625, -0.6875, -0.75, -0.8125, -0.875, -0.9375, -1, -1.125, -1.25, -1.375, -1.5, -1.625, -1.75, -1.875, -2, -2.25, -2.5, -2.75, -3, -3.25, -3.5, -3.75, -4, -4.5, -5, -5.5, -6, -6.5, -7, -7.5, -8, -9, -10, -11, -12, -13, -14, -15, -16, -18, -20, -22, -24, -26, -28, -30, -32, -36, -40, -44, -48, -52, -56, -60, -64, -72, -80, -88, -96, -104, -112, -120, -128, -144, -160, -176, -192, -208, -224, -240]
// test: run --entry=values_f8e5m2fnuz --arg=zeros
// expect: arg 0 = [0, 0.00000762939453125, 0.0000152587890625, 0.00002288818359375, 0.000030517578125, 0.00003814697265625, 0.0000457763671875, 0.00005340576171875, 0.00006103515625, 0.0000762939453125, 0.000091552734375, 0.0001068115234375, 0.0001220703125, 0.000152587890625, 0.00018310546875, 0.000213623046875, 0.000244140625, 0.00030517578125, 0.0003662109375, 0.00042724609375, 0.00048828125, 0.0006103515625, 0.000732421875, 0.0008544921875, 0.0009765625, 0.001220703125, 0.00146484375, 0.001708984375, 0.001953125, 0.00244140625, 0.0029296875, 0.00341796875, 0.00390625, 0.0048828125, 0.005859375, 0.0068359375, 0.0078125, 0.009765625, 0.01171875, 0.013671875, 0.015625, 0.01953125, 0.0234375, 0.02734375, 0.03125, 0.0390625, 0.046875, 0.0546875, 0.0625, 0.078125, 0.09375, 0.109375, 0.125, 0.15625, 0.1875, 0.21875, 0.25, 0.3125, 0.375, 0.4375, 0.5, 0.625, 0.75, 0.875, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 896, 1024, 1280, 1536, 1792, 2048, 2560, 3072, 3584, 4096, 5120, 6144, 7168, 8192, 10240, 12288, 14336, 16384, 20480, 24576, 28672, 32768, 40960, 49152, 57344, nan, -0.00000762939453125, -0.0000152587890625, -0.00002288818359375, -0.000030517578125, -0.00003814697265625, -0.0000457763671875, -0.00005340576171875, -0.00006103515625, -0.0000762939453125, -0.000091552734375, -0.0001068115234375, -0.0001220703125, -0.000152587890625, -0.00018310546875, -0.000213623046875, -0.000244140625, -0.00030517578125, -0.0003662109375, -0.00042724609375, -0.00048828125, -0.0006103515625, -0.000732421875, -0.0008544921875, -0.0009765625, -0.001220703125, -0.00146484375, -0.001708984375, -0.001953125, -0.00244140625, -0.0029296875, -0.00341796875, -0.00390625, -0.0048828125, -0.005859375, -0.0068359375, -0.0078125, -0.009765625, -0.01171875, -0.013671875, -0.015625, -0.01953125, -0.0234375, -0.02734375, -0.03125, -0.0390625, -0.046875, -0.0546875, -0.0625, -0.078125, -0.09375, -0.109375, -0.125, -0.15625, -0.1875, -0.21875, -0.25, -0.3125, -0.375, -0.4375, -0.5, -0.625, -0.75, -0.875, -1, -1.25, -1.5, -1.75, -2, -2.5, -3, -3.5, -4, -5, -6, -7, -8, -10, -12, -14, -16, -20, -24, -28, -32, -40, -48, -56, -64, -80, -96, -112, -128, -160, -192, -224, -256, -320, -384, -448, -512, -640, -768, -896, -1024, -1280, -1536, -1792, -2048, -2560, -3072, -3584, -4096, -5120, -6144, -7168, -8192, -10240, -12288, -14336, -16384, -20480, -24576, -28672, -32768, -40960, -49152, -57344]
// test: run --entry=values_f8e4m3b11fnuz --arg=zeros
// expect: arg 0 = [0, 0.0001220703125, 0.000244140625, 0.0003662109375, 0.00048828125, 0.0006103515625, 0.000732421875, 0.0008544921875, 0.0009765625, 0.0010986328125, 0.001220703125, 0.0013427734375, 0.00146484375, 0.0015869140625, 0.001708984375, 0.0018310546875, 0.001953125, 0.002197265625, 0.00244140625, 0.002685546875, 0.0029296875, 0.003173828125, 0.00341796875, 0.003662109375, 0.00390625, 0.00439453125, 0.0048828125, 0.00537109375, 0.005859375, 0.00634765625, 0.0068359375, 0.00732421875, 0.0078125, 0.0087890625, 0.009765625, 0.0107421875, 0.01171875, 0.0126953125, 0.013671875, 0.0146484375, 0.015625, 0.017578125, 0.01953125, 0.021484375, 0.0234375, 0.025390625, 0.02734375, 0.029296875, 0.03125, 0.03515625, 0.0390625, 0.04296875, 0.046875, 0.05078125, 0.0546875, 0.05859375, 0.0625, 0.0703125, 0.078125, 0.0859375, 0.09375, 0.1015625, 0.109375, 0.1171875, 0.125, 0.140625, 0.15625, 0.171875, 0.1875, 0.203125, 0.21875, 0.234375, 0.25, 0.28125, 0.3125, 0.34375, 0.375, 0.40625, 0.4375, 0.46875, 0.5, 0.5625, 0.625, 0.6875, 0.75, 0.8125, 0.875, 0.9375, 1, 1.125, 1.25, 1.375, 1.5, 1.625, 1.75, 1.875, 2, 2.25, 2.5, 2.75, 3, 3.25, 3.5, 3.75, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 26, 28, 30, nan, -0.0001220703125, -0.000244140625, -0.0003662109375, -0.00048828125, -0.0006103515625, -0.000732421875, -0.0008544921875, -0.0009765625, -0.0010986328125, -0.001220703125, -0.0013427734375, -0.00146484375, -0.0015869140625, -0.001708984375, -0.0018310546875, -0.001953125, -0.002197265625, -0.00244140625, -0.002685546875, -0.0029296875, -0.003173828125, -0.00341796875, -0.003662109375, -0.00390625, -0.00439453125, -0.0048828125, -0.00537109375, -0.005859375, -0.00634765625, -0.0068359375, -0.00732421875, -0.0078125, -0.0087890625, -0.009765625, -0.0107421875, -0.01171875, -0.0126953125, -0.013671875, -0.0146484375, -0.015625, -0.017578125, -0.01953125, -0.021484375, -0.0234375, -0.025390625, -0.02734375, -0.029296875, -0.03125, -0.03515625, -0.0390625, -0.04296875, -0.046875, -0.05078125, -0.0546875, -0.05859375, -0.0625, -0.0703125, -0.078125, -0.0859375, -0.09375, -0.1015625, -0.109375, -0.1171875, -0.125, -0.140625, -0.15625, -0.171875, -0.1875, -0.203125, -0.21875, -0.234375, -0.25, -0.28125, -0.3125, -0.34375, -0.375, -0.40625, -0.4375, -0.46875, -0.5, -0.5625, -0.625, -0.6875, -0.75, -0.8125, -0.875, -0.9375, -1, -1.125, -1.25, -1.375, -1.5, -1.625, -1.75, -1.875, -2, -2.25, -2.5, -2.75, -3, -3.25, -3.5, -3.75, -4, -4.5, -5, -5.5, -6, -6.5, -7, -7.5, -8, -9, -10, -11, -12, -13, -14, -15, -16, -18, -20, -22, -24, -26, -28, -30]
// test: run --entry=rounded --arg=zeros
// expect: arg 0 = [[0, -0, 0, 1, -1, 2, 4, 6, -6, 6, -6, 6, 6, -6, 0, 0], [0, -0, 0.25, 0.75, -1.25, 2.5, 5, 7, -7.5, 7.5, -7.5, 7.5, 7.5, -7.5, 0, 0], [0, -0, 0.25, 0.75, -1.25, 2.5, 5, 7, -8, 28, -28, 28, 28, -28, 0.0625, 0], [0, 0, 0.25, 0.75, -1.25, 2.5, 5, 7, -9, 28, nan, nan, nan, nan, 0.0625, nan]]
// test: run --entry=scales --arg=zeros
// expect: arg 0 = [1, 2, 0.0000000000000000000000000000000000000058774717541114375398436826861112283890933277838604376075437585313920862972736358642578125, 0.0000000000000000000000000000000000000058774717541114375398436826861112283890933277838604376075437585313920862972736358642578125, nan, nan, 2, nan]
// test: run --entry=product --arg=zeros
// expect: arg 0 = [-15, 37.5, 60.5, 20.25, 19.5]
// test: run --entry=quantized --arg=zeros
// expect: arg 0 = [0.25, -0.75, 24, 0.078125, 3, -0.005859375, 1.75, 1.375]
memref.global "private" constant @numbers : memref<16xf32> = dense<[
  0.0, -0.0, 0.25, 0.75, -1.25, 2.5, 5.0, 7.0, -9.0, 29.0, -1000.0, 1000000.0, 0x7F800000, 0xFF800000, 0.06239999830722809, 0x7FC00000
]>
memref.global "private" constant @quantized_numbers : memref<8xf32> = dense<[
  1.0, -3.0, 100.0, 0.3, 12.0, -0.02, 7.0, 5.5
]>
memref.global "private" constant @scale_numbers : memref<8xf32> = dense<[
  1.0, 1.5, 0.0, -0.0, -2.0, 3.0e+38, 2.9, 0x7F800000
]>

func.func @values_f4e2m1fn(%out: memref<16xf32>) {
  %numbers = memref.alloc() : memref<16xf4E2M1FN>
  affine.for %i = 0 to 16 {
    %n = arith.index_cast %i : index to i32
    %b = arith.trunci %n : i32 to i4
    %x = arith.bitcast %b : i4 to f4E2M1FN
    affine.store %x, %numbers[%i] : memref<16xf4E2M1FN>
  }
  affine.for %i = 0 to 16 {
    %x = affine.load %numbers[%i] : memref<16xf4E2M1FN>
    %y = arith.extf %x : f4E2M1FN to f32
    affine.store %y, %out[%i] : memref<16xf32>
  }
  memref.dealloc %numbers : memref<16xf4E2M1FN>
  return
}

func.func @values_f6e2m3fn(%out: memref<64xf32>) {
  %numbers = memref.alloc() : memref<64xf6E2M3FN>
  affine.for %i = 0 to 64 {
    %n = arith.index_cast %i : index to i32
    %b = arith.trunci %n : i32 to i6
    %x = arith.bitcast %b : i6 to f6E2M3FN
    affine.store %x, %numbers[%i] : memref<64xf6E2M3FN>
  }
  affine.for %i = 0 to 64 {
    %x = affine.load %numbers[%i] : memref<64xf6E2M3FN>
    %y = arith.extf %x : f6E2M3FN to f32
    affine.store %y, %out[%i] : memref<64xf32>
  }
  memref.dealloc %numbers : memref<64xf6E2M3FN>
  return
}

func.func @values_f6e3m2fn(%out: memref<64xf32>) {
  %numbers = memref.alloc() : memref<64xf6E3M2FN>
  affine.for %i = 0 to 64 {
    %n = arith.index_cast %i : index to i32
    %b = arith.trunci %n : i32 to i6
    %x = arith.bitcast %b : i6 to f6E3M2FN
    affine.store %x, %numbers[%i] : memref<64xf6E3M2FN>
  }
  affine.for %i = 0 to 64 {
    %x = affine.load %numbers[%i] : memref<64xf6E3M2FN>
    %y = arith.extf %x : f6E3M2FN to f32
    affine.store %y, %out[%i] : memref<64xf32>
  }
  memref.dealloc %numbers : memref<64xf6E3M2FN>
  return
}

func.func @values_f8e4m3fnuz(%out: memref<256xf32>) {
  %numbers = memref.alloc() : memref<256xf8E4M3FNUZ>
  affine.for %i = 0 to 256 {
    %n = arith.index_cast %i : index to i32
    %b = arith.trunci %n : i32 to i8
    %x = arith.bitcast %b : i8 to f8E4M3FNUZ
    affine.store %x, %numbers[%i] : memref<256xf8E4M3FNUZ>
  }
  affine.for %i = 0 to 256 {
    %x = affine.load %numbers[%i] : memref<256xf8E4M3FNUZ>
    %y = arith.extf %x : f8E4M3FNUZ to f32
    affine.store %y, %out[%i] : memref<256xf32>
  }
  memref.dealloc %numbers : memref<256xf8E4M3FNUZ>
  return
}

func.func @values_f8e5m2fnuz(%out: memref<256xf32>) {
  %numbers = memref.alloc() : memref<256xf8E5M2FNUZ>
  affine.for %i = 0 to 256 {
    %n = arith.index_cast %i : index to i32
    %b = arith.trunci %n : i32 to i8
    %x = arith.bitcast %b : i8 to f8E5M2FNUZ
    affine.store %x, %numbers[%i] : memref<256xf8E5M2FNUZ>
  }
  affine.for %i = 0 to 256 {
    %x = affine.load %numbers[%i] : memref<256xf8E5M2FNUZ>
    %y = arith.extf %x : f8E5M2FNUZ to f32
    affine.store %y, %out[%i] : memref<256xf32>
  }
  memref.dealloc %numbers : memref<256xf8E5M2FNUZ>
  return
}

func.func @values_f8e4m3b11fnuz(%out: memref<256xf32>) {
  %numbers = memref.alloc() : memref<256xf8E4M3B11FNUZ>
  affine.for %i = 0 to 256 {
    %n = arith.index_cast %i : index to i32
    %b = arith.trunci %n : i32 to i8
    %x = arith.bitcast %b : i8 to f8E4M3B11FNUZ
    affine.store %x, %numbers[%i] : memref<256xf8E4M3B11FNUZ>
  }
  affine.for %i = 0 to 256 {
    %x = affine.load %numbers[%i] : memref<256xf8E4M3B11FNUZ>
    %y = arith.extf %x : f8E4M3B11FNUZ to f32
    affine.store %y, %out[%i] : memref<256xf32>
  }
  memref.dealloc %numbers : memref<256xf8E4M3B11FNUZ>
  return
}

// Infinities saturate in formats without, and NaN is zero in formats without.
func.func @rounded(%out: memref<4x16xf32>) {
  %numbers = memref.get_global @numbers : memref<16xf32>
  affine.for %i = 0 to 16 {
    %x = affine.load %numbers[%i] : memref<16xf32>
    %n0 = arith.truncf %x : f32 to f4E2M1FN
    %y0 = arith.extf %n0 : f4E2M1FN to f32
    affine.store %y0, %out[0, %i] : memref<4x16xf32>
    %n1 = arith.truncf %x : f32 to f6E2M3FN
    %y1 = arith.extf %n1 : f6E2M3FN to f32
    affine.store %y1, %out[1, %i] : memref<4x16xf32>
    %n2 = arith.truncf %x : f32 to f6E3M2FN
    %y2 = arith.extf %n2 : f6E3M2FN to f32
    affine.store %y2, %out[2, %i] : memref<4x16xf32>
    %n3 = arith.truncf %x : f32 to f8E4M3FNUZ
    %y3 = arith.extf %n3 : f8E4M3FNUZ to f32
    affine.store %y3, %out[3, %i] : memref<4x16xf32>
  }
  return
}

// Powers of two, half up: 3e38 is nearer to 2^128, which is NaN. Zero is the least power, 2^-127.
func.func @scales(%out: memref<8xf32>) {
  %numbers = memref.get_global @scale_numbers : memref<8xf32>
  affine.for %i = 0 to 8 {
    %x = affine.load %numbers[%i] : memref<8xf32>
    %n = arith.truncf %x : f32 to f8E8M0FNU
    %y = arith.extf %n : f8E8M0FNU to f32
    affine.store %y, %out[%i] : memref<8xf32>
  }
  return
}

// A matrix of 4-bit weights, blocks of 8 along a row with a scale each, times a vector.
func.func @product(%out: memref<5xf32>) {
  %weights = memref.alloc() : memref<5x32xf4E2M1FN>
  %scales = memref.alloc() : memref<5x4xf8E8M0FNU>
  %x = memref.alloc() : memref<32xf32>
  affine.for %r = 0 to 5 {
    affine.for %c = 0 to 32 {
      %code = affine.apply affine_map<(d0, d1) -> ((d0 * 7 + d1 * 3) mod 16)>(%r, %c)
      %n = arith.index_cast %code : index to i32
      %b = arith.trunci %n : i32 to i4
      %w = arith.bitcast %b : i4 to f4E2M1FN
      affine.store %w, %weights[%r, %c] : memref<5x32xf4E2M1FN>
    }
    affine.for %k = 0 to 4 {
      %e = affine.apply affine_map<(d0, d1) -> ((d0 + d1) mod 5 + 125)>(%r, %k)
      %n = arith.index_cast %e : index to i32
      %b = arith.trunci %n : i32 to i8
      %s = arith.bitcast %b : i8 to f8E8M0FNU
      affine.store %s, %scales[%r, %k] : memref<5x4xf8E8M0FNU>
    }
  }
  affine.for %c = 0 to 32 {
    %m = affine.apply affine_map<(d0) -> (d0 mod 4 - 1)>(%c)
    %n = arith.index_cast %m : index to i32
    %f = arith.sitofp %n : i32 to f32
    affine.store %f, %x[%c] : memref<32xf32>
  }
  %zero = arith.constant 0.0 : f32
  affine.for %r = 0 to 5 {
    %sum = affine.for %c = 0 to 32 iter_args(%acc = %zero) -> (f32) {
      %w = affine.load %weights[%r, %c] : memref<5x32xf4E2M1FN>
      %s = affine.load %scales[%r, %c floordiv 8] : memref<5x4xf8E8M0FNU>
      %v = arith.scaling_extf %w, %s : f4E2M1FN, f8E8M0FNU to f32
      %y = affine.load %x[%c] : memref<32xf32>
      %p = arith.mulf %v, %y : f32
      %next = arith.addf %acc, %p : f32
      affine.yield %next : f32
    }
    affine.store %sum, %out[%r] : memref<5xf32>
  }
  memref.dealloc %weights : memref<5x32xf4E2M1FN>
  memref.dealloc %scales : memref<5x4xf8E8M0FNU>
  memref.dealloc %x : memref<32xf32>
  return
}

// Divided by 4.2, which is rounded to 4, in vectors.
func.func @quantized(%out: memref<8xf32>) {
  %numbers = memref.get_global @quantized_numbers : memref<8xf32>
  %scale = arith.constant dense<4.2> : vector<4xf32>
  affine.for %i = 0 to 8 step 4 {
    %x = affine.vector_load %numbers[%i] : memref<8xf32>, vector<4xf32>
    %n = arith.scaling_truncf %x, %scale : vector<4xf32>, vector<4xf32> to vector<4xf8E4M3FN>
    %y = arith.extf %n : vector<4xf8E4M3FN> to vector<4xf32>
    affine.vector_store %y, %out[%i] : memref<8xf32>, vector<4xf32>
  }
  return
}
