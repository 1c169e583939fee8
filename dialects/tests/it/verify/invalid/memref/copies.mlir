// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @few(%m: memref<10xf32>, %i: index) {
  // expected-error@+1 {{expected at least 5 operands}}
  "memref.dma_start"(%m, %i, %i, %i) : (memref<10xf32>, index, index, index) -> ()
  return
}
// -----
func.func @source(%m: memref<?x?xf32>, %t: memref<1xi32>, %i: index) {
  // expected-error@+1 {{expected source indices to be of index type}}
  "memref.dma_start"(%m, %i, %m, %i, %i, %t, %i) : (memref<?x?xf32>, index, memref<?x?xf32>, index, index, memref<1xi32>, index) -> ()
  return
}
// -----
func.func @tag(%m: memref<10xf32>, %t: memref<1xi32>, %i: index) {
  // expected-error@+1 {{expected tag to be of memref type}}
  memref.dma_start %m[%i], %m[%i, %i], %i, %t[%i] : memref<10xf32>, memref<10xf32>, memref<1xi32>
  return
}
// -----
func.func @rest(%m: memref<10xf32>, %t: memref<1xi32>, %i: index) {
  // expected-error@+1 {{incorrect number of operands}}
  "memref.dma_start"(%m, %i, %m, %i, %i, %t, %i, %i) : (memref<10xf32>, index, memref<10xf32>, index, index, memref<1xi32>, index, index) -> ()
  return
}
// -----
func.func @hints(%m: memref<10xf32>, %i: index) {
  // expected-error@+1 {{expected ':'}}
  memref.prefetch %m[%i], read, locality<3>, data {a} : memref<10xf32>
  return
}
// -----
// expected-error@+1 {{type should be static shaped memref, but got 'memref<*xf32>'}}
memref.global @g : memref<*xf32>
// -----
func.func @nested() {
  // expected-error@+1 {{invalid kind of attribute specified}}
  %0 = memref.get_global @f::@g : memref<3xf32>
  return
}
// -----
func.func @nothing() {
  // expected-error@+2 {{region branch point has 0 operands, but region successor needs 1 inputs}}
  // expected-note@+1 {{region branch point}}
  %0 = memref.alloca_scope -> (i32) { }
  return
}
