// test: error run --device=cpu
// error: 4:8: 'llvm.add' does not run: it is of a lower level than loops and cannot be raised to them
func.func @f(%x: i32) -> i32 {
  %y = llvm.add %x, %x : i32
  return %y : i32
}
