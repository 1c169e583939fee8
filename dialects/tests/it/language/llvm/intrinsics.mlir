// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
// Calls of intrinsics, and fields of what they give.

func.func @intrinsics(%a: i16, %f: f32, %p: !llvm.ptr, %v: vector<4xf32>) {
  %pair = llvm.call_intrinsic "llvm.uadd.with.overflow.i16"(%a, %a) : (i16, i16) -> !llvm.struct<(i16, i1)>
  %sum = llvm.extractvalue %pair[0] : !llvm.struct<(i16, i1)>
  %carry = llvm.extractvalue %pair[1] {seen} : !llvm.struct<(i16, i1)>
  %root = llvm.call_intrinsic "llvm.sqrt.f32"(%f) {fastmathFlags = #llvm.fastmath<nnan, ninf>, note = "fast"} : (f32) -> f32
  %lanes = llvm.call_intrinsic "llvm.fabs.v4f32"(%v) : (vector<4xf32>) -> vector<4xf32>
  llvm.call_intrinsic "llvm.donothing"() : () -> ()
  llvm.call_intrinsic "llvm.assume"(%carry) ["align"(%p, %a : !llvm.ptr, i16), "cold"()] : (i1) -> ()
  llvm.call_intrinsic "llvm.lifetime.end"(%p) : (!llvm.ptr {llvm.nonnull}) -> ()
  %marked = llvm.call_intrinsic "llvm.ctpop.i16"(%a) : (i16) -> (i16 {llvm.noundef})
  return
}

// -----

func.func @nested(%s: !llvm.struct<(f32, array<2 x struct<(i8, ptr)>>)>) -> !llvm.ptr {
  %p = llvm.extractvalue %s[1, 0, 1] : !llvm.struct<(f32, array<2 x struct<(i8, ptr)>>)>
  %inner = llvm.extractvalue %s[1] : !llvm.struct<(f32, array<2 x struct<(i8, ptr)>>)>
  %again = llvm.extractvalue %inner[1, 1] : !llvm.array<2 x struct<(i8, ptr)>>
  return %p : !llvm.ptr
}
