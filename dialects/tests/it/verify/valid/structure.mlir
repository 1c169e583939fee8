// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Graph regions, unreachable blocks, nested uses.

"t.use"(%late) : (i32) -> ()
%late = "t.v"() : () -> i32

// -----

"func.func"() <{function_type = (i1) -> (), sym_name = "f"}> ({
^bb0(%c: i1):
  %x = "t.v"() : () -> i32
  "cf.cond_br"(%c)[^bb1, ^bb3] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^bb1:
  "t.use"(%x) : (i32) -> ()
  "cf.cond_br"(%c)[^bb1, ^bb3] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^bb2:
  "t.use"(%later) : (i32) -> ()
  %later = "t.v"() : () -> i32
  "cf.br"()[^bb3] : () -> ()
^bb3:
  "scf.if"(%c) ({
    "t.use"(%x, %c) : (i32, i1) -> ()
    "scf.yield"() : () -> ()
  }, {}) : (i1) -> ()
  "func.return"() : () -> ()
}) : () -> ()
