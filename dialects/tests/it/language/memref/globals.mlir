// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
memref.global @g : memref<4xf32>
memref.global "private" constant @h : memref<2xi32> = dense<[1, 2]> {alignment = 16}
memref.global @i : memref<2xi32> = uninitialized
memref.global "private" @j : memref<f32, 3>
// -----
memref.global @g : memref<2xf32> = dense_resource<foo>
// -----
memref.global @g : memref<2xf32> = sparse<[[0]], [1.0]>
// -----
memref.global @g : memref<0xf32> = dense<>
// -----
memref.global "nested" @g : memref<2xf32, strided<[3]>>
