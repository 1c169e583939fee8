// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%m: memref<4x4xf32>) {
  // expected-error@+1 {{'memref.expand_shape' op has source rank 2 and result rank 1. This is not an expansion (2 > 1).}}
  %r = "memref.expand_shape"(%m) <{reassociation = [[0], [1]], static_output_shape = array<i64: 16>}> : (memref<4x4xf32>) -> memref<16xf32>
  return
}

// -----

func.func @f(%m: memref<16xf32>) {
  // expected-error@+1 {{'memref.collapse_shape' op has source rank 1 and result rank 2. This is not a collapse (1 < 2).}}
  %r = "memref.collapse_shape"(%m) <{reassociation = [[0]]}> : (memref<16xf32>) -> memref<4x4xf32>
  return
}
