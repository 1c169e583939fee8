// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%a: memref<8x8xf32>, %b: memref<8xf32, 1>, %t: memref<1xi32>, %i: index, %n: index, %w: i32, %u: memref<*xf32>) {
  // expected-error@+1 {{'affine.dma_start' op expected DMA source to be of memref type}}
  "affine.dma_start"(%u, %i, %b, %i, %t, %i, %n) {src_map = affine_map<(d0) -> (d0, d0)>, dst_map = affine_map<(d0) -> (d0)>, tag_map = affine_map<(d0) -> (d0)>} : (memref<*xf32>, index, memref<8xf32, 1>, index, memref<1xi32>, index, index) -> ()
  return
}
// -----
func.func @f(%a: memref<8x8xf32>, %b: memref<8xf32, 1>, %t: memref<1xi32>, %i: index, %n: index, %w: i32, %u: memref<*xf32>) {
  // expected-error@+1 {{'affine.dma_start' op expected DMA destination to be of memref type}}
  "affine.dma_start"(%a, %i, %w, %i, %t, %i, %n) {src_map = affine_map<(d0) -> (d0, d0)>, dst_map = affine_map<(d0) -> (d0)>, tag_map = affine_map<(d0) -> (d0)>} : (memref<8x8xf32>, index, i32, index, memref<1xi32>, index, index) -> ()
  return
}
// -----
func.func @f(%a: memref<8x8xf32>, %b: memref<8xf32, 1>, %t: memref<1xi32>, %i: index, %n: index, %w: i32, %u: memref<*xf32>) {
  // expected-error@+1 {{'affine.dma_start' op expected DMA tag to be of memref type}}
  "affine.dma_start"(%a, %i, %b, %i, %n, %i, %n) {src_map = affine_map<(d0) -> (d0, d0)>, dst_map = affine_map<(d0) -> (d0)>, tag_map = affine_map<(d0) -> (d0)>} : (memref<8x8xf32>, index, memref<8xf32, 1>, index, index, index, index) -> ()
  return
}
// -----
func.func @f(%a: memref<8x8xf32>, %b: memref<8xf32, 1>, %t: memref<1xi32>, %i: index, %n: index, %w: i32, %u: memref<*xf32>) {
  // expected-error@+1 {{'affine.dma_start' op incorrect number of operands}}
  "affine.dma_start"(%a, %i, %b, %i, %t, %i, %n, %n) {src_map = affine_map<(d0) -> (d0, d0)>, dst_map = affine_map<(d0) -> (d0)>, tag_map = affine_map<(d0) -> (d0)>} : (memref<8x8xf32>, index, memref<8xf32, 1>, index, memref<1xi32>, index, index, index) -> ()
  return
}
// -----
func.func @f(%a: memref<8x8xf32>, %b: memref<8xf32, 1>, %t: memref<1xi32>, %i: index, %n: index, %w: i32, %u: memref<*xf32>) {
  // expected-error@+1 {{'affine.dma_start' op src index to dma_start must have 'index' type}}
  "affine.dma_start"(%a, %w, %b, %i, %t, %i, %n) {src_map = affine_map<(d0) -> (d0, d0)>, dst_map = affine_map<(d0) -> (d0)>, tag_map = affine_map<(d0) -> (d0)>} : (memref<8x8xf32>, i32, memref<8xf32, 1>, index, memref<1xi32>, index, index) -> ()
  return
}
// -----
func.func @f(%a: memref<8x8xf32>, %b: memref<8xf32, 1>, %t: memref<1xi32>, %i: index, %n: index, %w: i32, %u: memref<*xf32>) {
  // expected-error@+1 {{'affine.dma_start' op dst index to dma_start must have 'index' type}}
  "affine.dma_start"(%a, %i, %b, %w, %t, %i, %n) {src_map = affine_map<(d0) -> (d0, d0)>, dst_map = affine_map<(d0) -> (d0)>, tag_map = affine_map<(d0) -> (d0)>} : (memref<8x8xf32>, index, memref<8xf32, 1>, i32, memref<1xi32>, index, index) -> ()
  return
}
// -----
func.func @f(%a: memref<8x8xf32>, %b: memref<8xf32, 1>, %t: memref<1xi32>, %i: index, %n: index, %w: i32, %u: memref<*xf32>) {
  // expected-error@+1 {{'affine.dma_start' op tag index to dma_start must have 'index' type}}
  "affine.dma_start"(%a, %i, %b, %i, %t, %w, %n) {src_map = affine_map<(d0) -> (d0, d0)>, dst_map = affine_map<(d0) -> (d0)>, tag_map = affine_map<(d0) -> (d0)>} : (memref<8x8xf32>, index, memref<8xf32, 1>, index, memref<1xi32>, i32, index) -> ()
  return
}
// -----
func.func @f(%a: memref<8x8xf32>, %b: memref<8xf32, 1>, %t: memref<1xi32>, %i: index, %n: index, %w: i32, %u: memref<*xf32>) {
  affine.for %k = 0 to 4 {
    %l = memref.load %t[%i] : memref<1xi32>
    %x = arith.index_cast %l : i32 to index
    // expected-error@+1 {{'affine.dma_start' op src index must be a valid dimension or symbol identifier}}
    affine.dma_start %a[%x, %i], %b[%i], %t[%i], %n : memref<8x8xf32>, memref<8xf32, 1>, memref<1xi32>
  }
  return
}
// -----
func.func @f(%a: memref<8x8xf32>, %b: memref<8xf32, 1>, %t: memref<1xi32>, %i: index, %n: index, %w: i32, %u: memref<*xf32>) {
  affine.for %k = 0 to 4 {
    %l = memref.load %t[%i] : memref<1xi32>
    %x = arith.index_cast %l : i32 to index
    // expected-error@+1 {{'affine.dma_start' op dst index must be a valid dimension or symbol identifier}}
    affine.dma_start %a[%i, %i], %b[%x + 1], %t[%i], %n : memref<8x8xf32>, memref<8xf32, 1>, memref<1xi32>
  }
  return
}
// -----
func.func @f(%a: memref<8x8xf32>, %b: memref<8xf32, 1>, %t: memref<1xi32>, %i: index, %n: index, %w: i32, %u: memref<*xf32>) {
  affine.for %k = 0 to 4 {
    %l = memref.load %t[%i] : memref<1xi32>
    %x = arith.index_cast %l : i32 to index
    // expected-error@+1 {{'affine.dma_start' op tag index must be a valid dimension or symbol identifier}}
    affine.dma_start %a[%i, %i], %b[%i], %t[%x], %n : memref<8x8xf32>, memref<8xf32, 1>, memref<1xi32>
  }
  return
}
// -----
func.func @f(%a: memref<8x8xf32>, %b: memref<8xf32, 1>, %t: memref<1xi32>, %i: index, %n: index, %w: i32, %u: memref<*xf32>) {
  affine.for %k = 0 to 4 {
    %l = memref.load %t[%i] : memref<1xi32>
    %x = arith.index_cast %l : i32 to index
    // expected-error@+1 {{'affine.dma_wait' op index must be a valid dimension or symbol identifier}}
    affine.dma_wait %t[%x], %n : memref<1xi32>
  }
  return
}
// -----
func.func @f(%a: memref<8x8xf32>, %b: memref<8xf32, 1>, %t: memref<1xi32>, %i: index, %n: index, %w: i32, %u: memref<*xf32>) {
  // expected-error@+1 {{'affine.dma_wait' op expected DMA tag to be of memref type}}
  "affine.dma_wait"(%n, %i, %n) {tag_map = affine_map<(d0) -> (d0)>} : (index, index, index) -> ()
  return
}
// -----
func.func @f(%a: memref<8x8xf32>, %b: memref<8xf32, 1>, %t: memref<1xi32>, %i: index, %n: index, %w: i32, %u: memref<*xf32>) {
  // expected-error@+1 {{'affine.dma_wait' op index to dma_wait must have 'index' type}}
  "affine.dma_wait"(%t, %w, %n) {tag_map = affine_map<(d0) -> (d0)>} : (memref<1xi32>, i32, index) -> ()
  return
}
// -----
func.func @f(%a: memref<8x8xf32>, %b: memref<8xf32, 1>, %t: memref<1xi32>, %i: index, %n: index, %w: i32, %u: memref<*xf32>) {
  // expected-error@+1 {{expected two stride related operands}}
  affine.dma_start %a[%i, %i], %b[%i], %t[%i], %n, %n : memref<8x8xf32>, memref<8xf32, 1>, memref<1xi32>
  return
}
// -----
func.func @f(%a: memref<8x8xf32>, %b: memref<8xf32, 1>, %t: memref<1xi32>, %i: index, %n: index, %w: i32, %u: memref<*xf32>) {
  // expected-error@+1 {{expected three types}}
  affine.dma_start %a[%i, %i], %b[%i], %t[%i], %n : memref<8x8xf32>, memref<8xf32, 1>
  return
}
// -----
func.func @f(%a: memref<8x8xf32>, %b: memref<8xf32, 1>, %t: memref<1xi32>, %i: index, %n: index, %w: i32, %u: memref<*xf32>) {
  // expected-error@+1 {{expected tag to be of memref type}}
  affine.dma_wait %u[%i], %n : memref<*xf32>
  return
}
