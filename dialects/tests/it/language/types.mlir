// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
"t.integers"() : () -> (i1, i8, i32, i64, i128, i257, si8, ui16, index, none, i0)
"t.floats"() : () -> (f16, bf16, tf32, f32, f64, f80, f128, f8E5M2, f8E4M3, f8E4M3FN, f8E5M2FNUZ, f8E4M3FNUZ, f8E4M3B11FNUZ, f8E3M4, f8E8M0FNU, f6E3M2FN, f6E2M3FN, f4E2M1FN)
"t.functions"() : () -> (() -> (), (i32) -> i64, (i32, f32) -> (i64, f64), () -> (() -> ()), (() -> i1) -> (() -> i1))
"t.tuples"() : () -> (tuple<>, tuple<i32>, tuple<i32, tuple<f32, index>>)
"t.complex"() : () -> (complex<f32>, complex<i8>, complex<f64>)
// -----
"t.vectors"() : () -> (vector<f32>, vector<4xf32>, vector<4x8xi1>, vector<[4]xf32>, vector<2x[8]xindex>, vector<[2]x[4]xbf16>)
"t.tensors"() : () -> (tensor<f32>, tensor<?x4xf32>, tensor<*xi32>, tensor<0x4xi8>, tensor<2x2xf32, "enc">, tensor<4xf32, #foo.bar<a, [1]>>, tensor<2xcomplex<f32>>, tensor<2x!foo.t>, tensor<4xvector<2xf32>>, tensor<0xf32>, tensor<0x10xf32>)
// -----
#id = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
#off = affine_map<(d0)[s0] -> (d0 + s0)>
"t.memrefs"() : () -> (memref<f32>, memref<4x?xf32>, memref<*xi8>, memref<4x4xf32, #id>, memref<4x4xf32, #t>, memref<?xf32, #off>, memref<4xf32, 1>, memref<4xf32, 0>, memref<4xf32, 1 : i32>, memref<4xf32, "space">, memref<*xf32, 2>, memref<4x4xf32, #t, 3>, memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<4x4xf32, strided<[4, 1]>>, memref<4x4xf32, strided<[8, 2], offset: 3>, 5>, memref<2xmemref<4xf32>>, memref<4xvector<4xf32>>, memref<0xf32>, memref<4xindex>, memref<4xcomplex<f32>>)
// -----
"t.dialects"() : () -> (!foo.bar, !foo.bar<i32, (a) -> b, "s>">, !foo<"x y">, !foo.a.b<[{}]>)
// -----
!t = memref<4xf32>
!u = tuple<!t, !t>
"t.aliases"() : () -> (!t, !u)
