// Aliases in types and attributes that are kept as text are spelled out.
!t = i32
!pair = !llvm.struct<(!t, ptr)>
func.func private @f(!llvm.struct<(!pair, !t, array<3 x !t>)>, !t) -> !llvm.array<4 x !pair>
// -----
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
// What this means in a dialect that nobody knows, nobody knows either.
"a.b"() {a = #foo.bar<#x, !y, "#z">} : () -> !foo.bar<!z>
