// Layouts, spaces, aliases.
!tpu.reg = type vector<8x128xf32>
!buf = type memref<16x?xf32, (i, j)[s] -> (i, j) size (16, s), hbm>
#shift = (i, j)[s0] -> (i + s0, j)
#block = (i, j)[t0] -> (j, i floordiv t0)
func @types(%a: !tpu.reg, %b: memref<4x4xf32, #shift, #block, vmem>, %n: index,
            %c: memref<8xf32, (i) -> (i), (d0)[s0] -> (d0 * s0), 3>)
func @alloc(%n: index) {
  %x = alloc(%n)[%n] : !buf
  %y = alloc !buf(%n)[%n] /* the symbol goes with the layout */
  %z = alloc <16x?xf32>(%n)
  %w = alloca()[%n, %n] : memref<4x4xf32, #shift, #block, vmem>
  %v = alloc() {alignment: 16} : memref<f32>
  return
}
func @strided(memref<2x3xf32, offset: 0, strides: [3, 1]>, memref<?x?xi8, offset: 5 strides: [?, 1], 7>, memref<4x4xf32, offset: ?, strides: [4, 1], hbm>)
func @llvm(!llvm<"[4 x i8*]">, !llvm<"void (i32, float)*">, !llvm<"{ i32, double }">, !llvm<"float">)
func @foreign(!d<"a.b<c>">, !d<"">, tensor<4x!d<"e">>, !d.plain, tensor<? x !tpu.reg>)
func @quantized(qi8<-1.0, 1.0>, qi4<?, 3>)
// today:
#composed = affine_map<(d0, d1)[s0, s1] -> (d1, (d0 + s0) floordiv s1)>
func.func private @types(vector<8x128xf32>, memref<4x4xf32, #composed, "vmem">, index, memref<8xf32, affine_map<(d0)[s0] -> (d0 * s0)>, 3>)
func.func @alloc(%n: index) {
  %x = memref.alloc(%n) : memref<16x?xf32, "hbm">
  %y = memref.alloc(%n) : memref<16x?xf32, "hbm">
  %z = memref.alloc(%n) : memref<16x?xf32>
  %w = memref.alloca()[%n, %n] : memref<4x4xf32, #composed, "vmem">
  %v = memref.alloc() {alignment = 16 : i64} : memref<f32>
  return
}
func.func private @strided(memref<2x3xf32, strided<[3, 1]>>, memref<?x?xi8, strided<[?, 1], offset: 5>, 7>, memref<4x4xf32, strided<[4, 1], offset: ?>, "hbm">)
func.func private @llvm(!llvm.array<4 x ptr>, !llvm.ptr, !llvm.struct<(i32, f64)>, f32)
func.func private @foreign(!d.a.b<c>, !d<"">, tensor<4x!d.e>, !d.plain, tensor<?xvector<8x128xf32>>)
func.func private @quantized(!legacy.qi8<-1.0, 1.0>, !legacy.qi4<?, 3>)
// -----
// Attributes.
#late = 4 : index
func @callee(i32) -> i32
func @attributes() {
  "use"() {alias: #late, fn: (i32) -> (i32), none: () -> (), empty: ()[s] -> (s), c: () -> (4, -1), set: () : (0 == 0),
           refs: [@callee : (i32) -> i32, @attributes], opaque: opaque<"foo", "0xAB"> : vector<1xi8>, foreign = #d<"x<y>">, typed: #d<"a b"> : i32} : () -> ()
  return
}
// today:
func.func private @callee(i32) -> i32
func.func @attributes() {
  "use"() {alias = 4 : index, fn = (i32) -> i32, none = () -> (), empty = affine_map<()[s0] -> (s0)>, c = affine_map<() -> (4, -1)>, set = affine_set<() : (0 == 0)>,
           refs = [@callee, @attributes], opaque = #foo<"0xAB"> : vector<1xi8>, foreign = #d.x<y>, typed = #d<"a b"> : i32} : () -> ()
  return
}
// -----
// Names that only the older grammar allows.
func @$weird-1(%1_0: i32) -> i32 {
  %0 = call @$weird-1(%1_0) : (i32) -> i32
  return %0 : i32
}
func @42()
// today:
func.func @"$weird-1"(%a: i32) -> i32 {
  %0 = call @"$weird-1"(%a) : (i32) -> i32
  return %0 : i32
}
func.func private @"42"()
