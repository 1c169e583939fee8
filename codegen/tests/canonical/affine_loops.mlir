// test: canonical
func.func private @use(index)

func.func @empty(%n: index, %m: memref<8xf32>, %v: f32) -> (f32, f32) {
  affine.for %i = 0 to %n {
  }
  %0 = affine.for %i = 3 to 3 iter_args(%a = %v) -> f32 {
    %s = arith.addf %a, %a : f32
    affine.yield %s : f32
  }
  %1 = affine.for %i = 0 to 10 iter_args(%a = %v) -> f32 {
    affine.yield %a : f32
  }
  return %0, %1 : f32, f32
}

// differs: @once: a loop that runs once is none
func.func @once(%n: index, %m: memref<?xf32>, %v: f32) {
  affine.for %i = 3 to 4 {
    affine.store %v, %m[%i] : memref<?xf32>
  }
  affine.for %i = affine_map<(d0) -> (d0)>(%n) to affine_map<(d0) -> (d0 + 1)>(%n) {
    affine.store %v, %m[%i] : memref<?xf32>
  }
  return
}

func.func @carried(%n: index, %v: f32, %w: f32) -> (f32, f32, f32) {
  %0:2 = affine.for %i = 0 to 10 iter_args(%a = %v, %b = %w) -> (f32, f32) {
    affine.yield %b, %a : f32, f32
  }
  %1 = affine.for %i = 0 to %n iter_args(%a = %v) -> f32 {
    affine.yield %w : f32
  }
  return %0#0, %0#1, %1 : f32, f32, f32
}

func.func @that_yield(%n: index, %v: f32, %w: f32) -> (f32, f32) {
  %0 = affine.for %i = 0 to 10 iter_args(%a = %v) -> f32 {
    affine.yield %w : f32
  }
  %1:2 = affine.for %i = 0 to 11 iter_args(%a = %v, %b = %w) -> (f32, f32) {
    affine.yield %b, %a : f32, f32
  }
  return %0, %1#0 : f32, f32
}

// differs: @bounds: what is one symbol stands once
func.func @bounds(%n: index, %k: index) {
  affine.for %i = max affine_map<(d0) -> (d0, 0, d0)>(%k) to min affine_map<(d0)[s0] -> (s0, 10, 12)>(%k)[%n] {
    func.call @use(%i) : (index) -> ()
  }
  affine.for %i = affine_map<(d0) -> (d0 + 0)>(%k) to affine_map<(d0)[s0] -> (s0 + s0)>(%k)[%n] step 2 {
    func.call @use(%i) : (index) -> ()
  }
  return
}
