// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
// Aliases in types and attributes that are kept as text are spelled out.
!t = i32
!pair = !llvm.struct<(!t, ptr)>
func.func private @f(!llvm.struct<(!pair, !t, array<3 x !t>)>, !t) -> !llvm.array<4 x !pair>
// -----
// What this means in a dialect that nobody knows, nobody knows either.
"a.b"() {a = #foo.bar<#x, !y, "#z">} : () -> !foo.bar<!z>
