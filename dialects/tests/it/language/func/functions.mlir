// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func private @a(i32, f32) -> (i32, f32)
func.func @b(%x: i32, %y: f32) {
 %0:2 = call @a(%x, %y) : (i32, f32) -> (i32, f32)
 %f = constant @a : (i32, f32) -> (i32, f32)
 %1:2 = call_indirect %f(%x, %y) : (i32, f32) -> (i32, f32)
 return
}
func.func private @c(%x: i32 {a.b = 1}) -> (i32 {c.d}) attributes {e.f}
func.func nested @d() { return }
func.func public @e() { return }
func.func @g(%arg: i32 loc("x")) -> i32 attributes {no_inline} { return %arg : i32 }
