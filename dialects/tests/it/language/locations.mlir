// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
"l.ops"() : () -> () loc("file":1:2)
"l.ops"() : () -> () loc(unknown)
"l.ops"() : () -> () loc("name")
"l.ops"() : () -> () loc("name"("file":3:4))
"l.ops"() : () -> () loc(callsite("a" at "b":1:1))
"l.ops"() : () -> () loc(fused["a", "b"])
"l.ops"() : () -> () loc(fused<"meta">["a", callsite("c" at "d")])
"l.ops"() : () -> () loc("f":1:2 to 3:4)
"l.ops"() : () -> () loc("f":1:2 to :4)
"l.attr"() {a = loc("x":1:1), b = loc(fused["a"]), c = loc(unknown)} : () -> ()
func.func @args(%a: i32 loc("a"), %b: i32) {
  return loc(#late)
} loc(#loc1)
"l.region"() ({
^bb0(%x: i32 loc("x"), %y: i32 loc(#loc1)):
}) : () -> ()
#loc1 = loc("z":5:6)
#late = loc("late"(#loc1))
