// Debug information of `llvm`, which bytecode from elsewhere has in encodings of that dialect.
#name = "x!t#u"
#file = #llvm.di_file<"a!t#u" in "d">
#unit = #llvm.di_compile_unit<id = distinct[3]<>, sourceLanguage = DW_LANG_C, file = #file, isOptimized = true,
  emissionKind = Full>
func.func private @f() attributes {a.unit = #unit, a.file = #file, a.name = #name}
// -----
// Numbers of distinct attributes are the same where they are kept as text and elsewhere.
#d = distinct[7]<42 : i8>
#file = #llvm.di_file<"a" in "b">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, isOptimized = true, emissionKind = Full>
func.func private @f() attributes {a = #unit, b = #d, c = distinct[7]<42 : i8>}
// -----
"a.b"() : () -> () loc(#last)
#file = #llvm.di_file<"a" in "b">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C,
  file = #file, isOptimized = true, emissionKind = Full>
#callee = loc("callee":3:4)
#last = loc(fused<
    #unit>[
  #callee])
