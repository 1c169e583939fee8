// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @f0(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  affine.for %a = 0 to 10 {
 }
  affine.for %a = %i to %n step 3 {
 } {x}
  affine.for %a = max affine_map<(d0) -> (d0, 3)>(%i) to min affine_map<(d0)[s0] -> (d0, s0)>(%i)[%n] {
 }
  %r:2 = affine.for %a = 0 to 10 iter_args(%p = %f, %q = %i) -> (f32, index) {
 affine.yield %p, %q : f32, index
 }
  return
}
func.func @f1(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  %l = memref.load %t[%i] : memref<1xi32>
  %x = arith.index_cast %l : i32 to index
  affine.for %a = 0 to %x {
 }
  return
}
func.func @f2(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  affine.if affine_set<(d0)[s0] : (d0 - s0 >= 0)>(%i)[%n] {
 }
  %r = affine.if affine_set<(d0) : (d0 == 0, d0 >= 0)>(%i) -> f32 {
 affine.yield %f : f32
 } else {
 affine.yield %f : f32
 }
  return
}
func.func @f3(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  affine.if affine_set<(d0) : (d0 == 0)>(%i) {
 } else {
 } {x}
  return
}
func.func @f4(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  affine.parallel (%a, %b) = (0, %i) to (10, %n) {
 }
  %r = affine.parallel (%a) = (0) to (10) step (2) reduce ("addf") -> f32 {
 affine.yield %f : f32
 }
  %r2:2 = affine.parallel (%a) = (max(0, %i)) to (min(10, %n, %i + 3)) reduce ("maximumf", "addi") -> (f32, i32) {
 affine.yield %f, %i2 : f32, i32
 } {x}
  return
}
func.func @f5(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  affine.parallel () = () to () {
 }
  return
}
func.func @f6(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  %r = affine.parallel (%a) = (0) to (10) reduce ("assign") -> f32 {
 affine.yield %f : f32
 }
  return
}
// -----
// A truth value has its sign only.
func.func @bits() {
  affine.for %i = true to false {
  }
  affine.for %i = 0 to true step 3 {
  }
  return
}
