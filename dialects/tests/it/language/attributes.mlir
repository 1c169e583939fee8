// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
"a.numbers"() {a = 1, b = -1, c = 1 : i8, d = 255 : i8, e = -128 : i8, f = 7 : index, g = -9223372036854775808, h = 18446744073709551615 : i64, i = 340282366920938463463374607431768211455 : i128, j = 123456789012345678901234567890123456789012345678901234567890 : i257, k = -5 : si8, l = 200 : ui8, m = 0xFF : i8, n = true, o = false, p = 1 : i1, q = 0x10 : index} : () -> ()
"a.floats"() {a = 1.0, b = -0.5 : f32, c = 3.1415926535 : f32, d = 1.0e10 : f64, e = 0x7FC00000 : f32, f = 0xFF800000 : f32, g = 1.5 : f16, h = 3.0 : bf16, i = 1.0e-45 : f32, j = 0.1, k = 65504.0 : f16, l = 1.0e-8 : f16, m = 2.0 : f80, n = 3.0 : f128, o = -0.0 : f32, p = 1.0e300, q = 0x7FF0000000000001 : f64, r = 123456789.0 : f64, s = 16777217.0 : f32, t = 0.3 : tf32, u = 1.0e22, v = 123456.789e3, w = 5.0e-324 : f64, x = 1.7976931348623157e308 : f64} : () -> ()
"a.small_floats"() {a = 1.5 : f8E5M2, b = 1.5 : f8E4M3, c = 1.5 : f8E4M3FN, d = 1.5 : f8E5M2FNUZ, e = 1.5 : f8E4M3FNUZ, f = 1.5 : f8E4M3B11FNUZ, g = 1.5 : f8E3M4, h = 2.0 : f8E8M0FNU, i = 1.5 : f6E3M2FN, j = 1.5 : f6E2M3FN, k = 1.5 : f4E2M1FN, l = 0x7F : f8E4M3FN, m = 0x80 : f8E5M2FNUZ, n = 0xFF : f8E8M0FNU, o = 0.3 : f8E5M2, p = 0.3 : f8E4M3FN, q = 100.0 : f8E4M3FN, r = -2.5 : f6E3M2FN} : () -> ()
"a.names"() {a = "text", b = "esc \22 \\ \n \t \00 \FF", c = "typed" : i32, d = @s, e = @"q r"::@n::@"m", f = i32, g = (i32) -> f32, h = unit, i, "quoted key" = 1, dotted.name = 2, "a b"} : () -> ()
"a.nested"() {a = [], b = [1, 2 : i8, "x", [true]], c = {}, d = {x = {y}, z = [{}]}, e = tensor<4xf32>} : () -> ()
// -----
"a.dense"() {a = dense<1> : tensor<2x2xi32>, b = dense<[1, 2, 3]> : tensor<3xi8>, c = dense<[[1.0, 2.0], [3.0, -4.5]]> : tensor<2x2xf32>, d = dense<true> : tensor<4xi1>, e = dense<[true, false]> : vector<2xi1>, f = dense<> : tensor<0xi32>, g = dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>, h = dense<(1, 2)> : tensor<complex<i8>>, i = dense<"0x0100000002000000"> : tensor<2xi32>, j = dense<["a", "b"]> : tensor<2x!foo.s>, k = dense<"one"> : tensor<2x!foo.s>, l = dense<0x7F800000> : tensor<2xf32>, m = dense<5> : tensor<i64>, n = dense<[7, 7]> : tensor<2xindex>, o = dense<-1> : tensor<2xi4>, p = dense<[[[1], [2]], [[3], [4]]]> : tensor<2x2x1xi16>, q = dense<1.5> : vector<4xbf16>} : () -> ()
// -----
"a.dense_long"() {a = dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101]> : tensor<102xi32>} : () -> ()
// -----
"a.arrays"() {a = array<i32>, b = array<i32: 1, -2>, c = array<i1: true, false>, d = array<f32: 1.0, -2.5>, e = array<i8: 127, -1>, f = array<f64: 1.0e10>, g = array<i64: 1>} : () -> ()
"a.sparse"() {a = sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>, b = sparse<[], []> : tensor<2xf32>, c = sparse<[[0]], [2.0]> : tensor<3xf32>, d = sparse<0, 1> : tensor<1xi32>, e = sparse<> : tensor<2xf32>} : () -> ()
"a.strided"() {a = strided<[1, 2]>, b = strided<[?, 1], offset: ?>, c = strided<[], offset: 4>, d = strided<[3], offset: 0>} : () -> ()
"a.distinct"() {a = distinct[0]<42 : i32>, b = distinct[1]<42 : i32>, c = distinct[2]<>} : () -> ()
"a.dialect"() {a = #foo.bar, b = #foo.bar<x, "y>">, c = #foo<"z">, d = #foo.typed<1> : i32, e = #gpu<dim x>, f = #arith.fastmath<contract>} : () -> ()
// -----
"a.resource"() {a = dense_resource<blob1> : tensor<3xi64>, b = dense_resource<"blob 2"> : tensor<2xi8>} : () -> ()
{-#
  dialect_resources: {
    builtin: {
      blob1: "0x08000000010000000000000002000000000000000300000000000000",
      "blob 2": "0x010000000102"
    }
  }
#-}
// -----
#a = 5 : i32
#b = [#a, #a]
#m = affine_map<(d0) -> (d0)>
"a.aliases"() {a = #a, b = #b, c = #m} : () -> ()
// -----
"a.properties"() <{a = 1 : i32, b = "x"}> {c = 2.0 : f64} : () -> ()
// -----
"a.bits"() {a = dense<"0x01"> : tensor<2xi1>, b = dense<"0xFF"> : tensor<20xi1>, c = dense<"0x0580"> : tensor<16xi1>, d = dense<1> : tensor<0xi32>} : () -> ()
"a.many_bits"() {a = dense<"0x0102030405060708090A0B0C0D"> : tensor<104xi1>} : () -> ()
"a.rounded"() {a = 7.0 : f4E2M1FN, b = 1.0e10 : f8E8M0FNU, c = 3.0 : f8E8M0FNU, d = 1.0e-45 : f8E8M0FNU, e = 30.0 : f6E3M2FN, f = 29.9 : f6E3M2FN, h = 1.0e400 : f8E4M3FN, i = 1.0e400 : f8E5M2FNUZ, j = 6.0 : f8E8M0FNU, k = 464.0 : f8E4M3FN, l = 480.0 : f8E4M3FN, m = -1000.0 : f4E2M1FN, n = 0x7FF8000000000000 : f64, o = 1.0e400 : f8E8M0FNU, p = 1.0e-60 : f8E8M0FNU, q = 464.1 : f8E4M3FN, r = 5.0 : f4E2M1FN, s = 3.5 : f4E2M1FN, t = 61439.0 : f8E5M2, u = 61440.0 : f8E5M2, v = 0.0 : f8E8M0FNU, w = 1.0e400 : f16, x = -1.0e39 : f32, y = 65519.0 : f16, z = 65520.0 : f16} : () -> ()
"a.subnormal"() {a = 6.0e-8 : f16, b = 3.0e-8 : f16, c = 2.9e-8 : f16, d = 1.0e-40 : bf16, e = 1.0e-320 : f64, f = 0.001 : f8E4M3FN, g = 0.002 : f8E4M3FN, h = 0.0009 : f8E4M3FN, i = 0.2 : f4E2M1FN, j = 0.25 : f4E2M1FN, k = 0.26 : f4E2M1FN, l = 0.75 : f4E2M1FN, m = 1.0e-40 : tf32, n = 1.0e-320 : f80, o = 1.0e-320 : f128, p = 0.1 : f80, q = 0.1 : f128, r = 0.03 : f6E2M3FN} : () -> ()
"a.both"() <{a = 1}> {a = 2} : () -> ()
// A bit pattern in a list keeps its type: without it, it would read as an integer.
"a.patterns"() {a = [0xC14A63F880000000 : f64, 1.5, 0x7FF0000000000000 : f64, 0xFFC00000 : f32]} : () -> ()
// -----
"a.numbers"() {a = distinct[0x5]<1>, b = distinct[5]<1>, c = distinct[0xFFFFFFFFFFFFFF00]<1>, d = distinct[18446744073709551360]<1>} : () -> ()
"a.wrapped"() {a = array<ui8: -1, -128, 255, 0>, b = array<ui32: -5>, c = array<ui64: -5, 18446744073709551615>, d = array<si8: -128, 127>} : () -> ()
