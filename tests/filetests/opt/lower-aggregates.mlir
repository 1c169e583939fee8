// test: opt --lower-aggregates
// An inserted field is the value that is extracted, and a parameter becomes one for each field.
func.func @fields(%pair: !llvm.struct<(i64, f32)>, %x: f32) -> !llvm.struct<(i64, f32)> {
  %0 = llvm.insertvalue %x, %pair[1] : !llvm.struct<(i64, f32)>
  %1 = func.call @fields(%0, %x) : (!llvm.struct<(i64, f32)>, f32) -> !llvm.struct<(i64, f32)>
  %2 = llvm.extractvalue %1[0] : !llvm.struct<(i64, f32)>
  %3 = llvm.insertvalue %2, %0[0] : !llvm.struct<(i64, f32)>
  return %3 : !llvm.struct<(i64, f32)>
}

// An aggregate with a pointer stays.
func.func @pointer(%p: !llvm.struct<(ptr, i64)>) -> i64 {
  %0 = llvm.extractvalue %p[1] : !llvm.struct<(ptr, i64)>
  return %0 : i64
}
