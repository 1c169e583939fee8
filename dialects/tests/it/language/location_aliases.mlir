// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
"a.late"() : () -> () loc(#late)
  #late = loc("indented")
// -----
#early = loc("early")
"a.nested"() {a = loc(#early)} : () -> () loc(callsite(#early at fused<#early>["x", #early]))
"a.nameless"() : () -> () loc("":1:2)
// -----
// Definitions below their use that go over several lines and name others.
#above = loc("above":3:4)
"a.b"() : () -> () loc(#last)
#number = 3 : i8
#unit = [#number,
  {a = affine_set<(d0) : (d0 >= 0)>}, #number]
#callee = loc("callee":3:4)
#last = loc(callsite("a"(#callee) at
  fused<
    #unit>[#above,
  #callee]))
