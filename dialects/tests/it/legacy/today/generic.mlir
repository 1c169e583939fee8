// Old operations in generic form.
func @generic(%a: i32, %m: memref<?x4xf32>, %f: f32, %i: index, %t: tensor<?xf32>) -> i32 {
  %0 = "addi"(%a, %a) : (i32, i32) -> i32
  %1 = "remiu"(%0, %a) : (i32, i32) -> i32
  %d = "dim"(%m) {index: 0} : (memref<?x4xf32>) -> index
  %e = "dim"(%t) {index: 0} : (tensor<?xf32>) -> index
  %v = "load"(%m, %i, %e) : (memref<?x4xf32>, index, index) -> f32
  "store"(%v, %m, %i, %i) : (f32, memref<?x4xf32>, index, index) -> ()
  %n = "alloc"(%d) : (index) -> memref<?x4xf32>
  "dealloc"(%n) : (memref<?x4xf32>) -> ()
  %k = "constant"() {value: 1.5} : () -> f32
  %big = "constant"() {value: 255} : () -> i8
  %x = "constant"() {value: dense<1> : tensor<2xi32>} : () -> tensor<2xi32>
  %q = "cmpf"(%f, %k) {predicate: 1} : (f32, f32) -> i1
  %z = "select"(%q, %f, %k) : (i1, f32, f32) -> f32
  "br"()[^bb1(%a, %1 : i32, i32)] : () -> ()
^bb1(%p: i32, %r: i32):
  "br_cond"(%q)[^bb2(%p : i32, %z : f32), ^bb3] : (i1) -> ()
^bb2(%s: i32, %y: f32):
  "return"(%s) : (i32) -> ()
^bb3:
  %c = "call"(%f) {callee: @g : (f32) -> i32} : (f32) -> i32
  return %c : i32
}
func @g(f32) -> i32
// today:
func.func @generic(%a: i32, %m: memref<?x4xf32>, %f: f32, %i: index, %t: tensor<?xf32>) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.remui %0, %a : i32
  %c0 = arith.constant 0 : index
  %d = memref.dim %m, %c0 : memref<?x4xf32>
  %c0_0 = arith.constant 0 : index
  %e = tensor.dim %t, %c0_0 : tensor<?xf32>
  %v = memref.load %m[%i, %e] : memref<?x4xf32>
  memref.store %v, %m[%i, %i] : memref<?x4xf32>
  %n = memref.alloc(%d) : memref<?x4xf32>
  memref.dealloc %n : memref<?x4xf32>
  %k = arith.constant 1.5 : f32
  %big = arith.constant -1 : i8
  %x = arith.constant dense<1> : tensor<2xi32>
  %q = arith.cmpf oeq, %f, %k : f32
  %z = arith.select %q, %f, %k : f32
  cf.br ^bb1(%a, %1 : i32, i32)
^bb1(%p: i32, %r: i32):
  cf.cond_br %q, ^bb2(%p, %z : i32, f32), ^bb3
^bb2(%s: i32, %y: f32):
  return %s : i32
^bb3:
  %c = call @g(%f) : (f32) -> i32
  return %c : i32
}
func.func private @g(f32) -> i32
// -----
// Regions with signatures; names of no old operation stay as they are.
func @regions(%a: i64) {
  "some.region"(%a) ((%x: i64, %y: f32) -> (i64, f32) {
    "some.yield"(%x, %y) : (i64, f32) -> ()
  }, (i32) -> i32 {
  ^entry(%z: i32):
    "some.yield"(%z) : (i32) -> ()
  }, () {
    "divi"() : () -> ()
  }) : (i64) -> ()
  return
}
// today:
func.func @regions(%a: i64) {
  "some.region"(%a) ({
  ^bb0(%x: i64, %y: f32):
    "some.yield"(%x, %y) : (i64, f32) -> ()
  }, {
  ^bb0(%z: i32):
    "some.yield"(%z) : (i32) -> ()
  }, {
    "divi"() : () -> ()
  }) : (i64) -> ()
  return
}
// -----
// Intrinsics with no, one and several results.
func @intrinsics(%a: i16, %f: f32) -> f32 {
  "llvm.trap"() : () -> ()
  %r = "llvm.sqrt.f32"(%f) : (f32) -> f32
  %x:2 = "llvm.smul.with.overflow.i16"(%a, %a) : (i16, i16) -> (i16, i1)
  "use"(%x#1) : (i1) -> ()
  return %r : f32
}
// today:
func.func @intrinsics(%a: i16, %f: f32) -> f32 {
  llvm.call_intrinsic "llvm.trap"() : () -> ()
  %r = llvm.call_intrinsic "llvm.sqrt.f32"(%f) : (f32) -> f32
  %x = llvm.call_intrinsic "llvm.smul.with.overflow.i16"(%a, %a) : (i16, i16) -> !llvm.struct<(i16, i1)>
  %0 = llvm.extractvalue %x[0] : !llvm.struct<(i16, i1)>
  %1 = llvm.extractvalue %x[1] : !llvm.struct<(i16, i1)>
  "use"(%1) : (i1) -> ()
  return %r : f32
}
