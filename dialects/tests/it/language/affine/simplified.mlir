// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
// Expressions that are simplified, put in order or left alone as they are read.
"a.order"() {a = affine_map<(d0, d1)[s0, s1] -> (d1 + d0, s1 + s0, s1 * s0, d0 * s1 * s0, s1 * s0 * d0, s1 * 2 + s0)>} : () -> ()
"a.nested"() {a = affine_map<(d0, d1)[s0, s1] -> (d0 + (d1 + 8), s0 + (s1 + 3), (d0 * 2) * s0, (d0 * 3 + 1) + d1)>} : () -> ()
"a.divided"() {a = affine_map<(d0, d1) -> ((d0 * 4 + d1) floordiv 2, (d0 * 4 + d1) ceildiv 2, (d0 * 4 + d1) mod 2, (d0 mod 6) mod 3)>} : () -> ()
"a.below_zero"() {a = affine_map<(d0) -> (9 floordiv -4, -9 floordiv -4, 9 ceildiv -4, -9 ceildiv 4, 9 mod -4, (d0 * 6) floordiv -3, (d0 + 6) floordiv -2)>} : () -> ()
"a.zero"() {a = affine_map<(d0) -> (d0 floordiv 0, 7 mod 0, 0 floordiv -1, 5 ceildiv 0)>} : () -> ()
"a.remainder"() {a = affine_map<(d0, d1)[s0, s1] -> (d0 - (d0 floordiv 8) * 8, d0 - (d0 floordiv s0) * s0, d1 * 64 + d0 - (d0 floordiv 4) * 4, d0 - (d0 floordiv -4) * -4)>} : () -> ()
"a.moved"() {a = affine_map<(d0, d1)[s0, s1] -> ((d0 + s1) - (d1 ceildiv 4), s0 + s1 * s0 - (s1 floordiv s0) * 3)>} : () -> ()
