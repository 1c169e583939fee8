// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @f0(%c: i1, %x: i32, %y: i64) {
 cf.cond_br %c weights([3, 4]), ^bb1(%x : i32), ^bb2
^bb1(%a: i32):
 cf.br ^bb2 {u}
^bb2:
 cf.assert %c, "message"
 cf.switch %x : i32, [
 default: ^bb3,
 42: ^bb1(%x : i32),
 -7: ^bb3
 ]
^bb3:
 cf.switch %y : i64, [ default: ^bb4(%x : i32) ] {v}
^bb4(%z: i32):
 return
}
func.func @f1(%c: i1, %x: i32) {
 cf.cond_br %c weights([-1, 1]), ^bb1, ^bb1
^bb1:
 return
}
func.func @f2(%c: i1, %x: i32) {
 cf.switch %x : i32, [ default: ^bb1, 1: ^bb1, 1: ^bb1 ]
^bb1:
 return
}
