// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%s: memref<4xf32>, %d: memref<4xf32, 1>, %t: memref<1xi32>, %i: index, %w: i32) {
  // expected-error@+1 {{'memref.dma_start' op expected source indices to be of index type}}
  "memref.dma_start"(%s, %w, %d, %i, %i, %t, %i) : (memref<4xf32>, i32, memref<4xf32, 1>, index, index, memref<1xi32>, index) -> ()
  return
}

// -----

func.func @f(%s: memref<4xf32>, %d: memref<4xf32, 1>, %t: memref<1xi32>, %i: index, %w: i32) {
  // expected-error@+1 {{'memref.dma_start' op expected destination indices to be of index type}}
  "memref.dma_start"(%s, %i, %d, %w, %i, %t, %i) : (memref<4xf32>, index, memref<4xf32, 1>, i32, index, memref<1xi32>, index) -> ()
  return
}

// -----

func.func @f(%s: memref<4xf32>, %d: memref<4xf32, 1>, %t: memref<1xi32>, %i: index, %w: i32) {
  // expected-error@+1 {{'memref.dma_start' op expected num elements to be of index type}}
  "memref.dma_start"(%s, %i, %d, %i, %w, %t, %i) : (memref<4xf32>, index, memref<4xf32, 1>, index, i32, memref<1xi32>, index) -> ()
  return
}

// -----

func.func @f(%s: memref<4xf32>, %d: memref<4xf32, 1>, %t: memref<1xi32>, %i: index, %w: i32) {
  // expected-error@+1 {{'memref.dma_start' op expected tag indices to be of index type}}
  "memref.dma_start"(%s, %i, %d, %i, %i, %t, %w) : (memref<4xf32>, index, memref<4xf32, 1>, index, index, memref<1xi32>, i32) -> ()
  return
}

// -----

func.func @f(%s: memref<4xf32>, %d: memref<4xf32, 1>, %t: memref<1xi32>, %i: index, %w: i32) {
  // expected-error@+1 {{'memref.dma_start' op expected stride and num elements per stride to be of type index}}
  "memref.dma_start"(%s, %i, %d, %i, %i, %t, %i, %w, %i) : (memref<4xf32>, index, memref<4xf32, 1>, index, index, memref<1xi32>, index, i32, index) -> ()
  return
}
