// test: error run --device=cpu
// error: 3:1: '@main' takes or gives '!llvm.struct<(i64, f32)>', which no argument or result can be
func.func @main(%pair: !llvm.struct<(i64, f32)>) -> i64 {
  %0 = llvm.extractvalue %pair[0] : !llvm.struct<(i64, f32)>
  return %0 : i64
}
