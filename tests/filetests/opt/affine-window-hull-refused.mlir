// test: opt --affine-window-hull=target=cpu
// Loops that stay as they are.

// No two bounds are a constant apart.
func.func @triangle(%x: memref<9x9xf32>, %y: memref<9xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 9 {
    %s = affine.for %k = 0 to min affine_map<(d0) -> (d0, -d0 + 9)>(%i) iter_args(%a = %zero) -> (f32) {
      %v = affine.load %x[%i, %k] : memref<9x9xf32>
      %b = arith.addf %a, %v : f32
      affine.yield %b : f32
    }
    affine.store %s, %y[%i] : memref<9xf32>
  }
  return
}

// A window of 41 elements would make more of a row than it has.
func.func @long(%x: memref<99xf32>, %y: memref<99xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 99 {
    %s = affine.for %k = max affine_map<(d0) -> (0, d0 - 20)>(%i) to min affine_map<(d0) -> (99, d0 + 21)>(%i) iter_args(%a = %zero) -> (f32) {
      %v = affine.load %x[%k] : memref<99xf32>
      %b = arith.addf %a, %v : f32
      affine.yield %b : f32
    }
    affine.store %s, %y[%i] : memref<99xf32>
  }
  return
}

// Steps of 2 from a clipped start meet other elements.
func.func @steps(%x: memref<9xf32>, %y: memref<9xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 9 {
    %s = affine.for %k = max affine_map<(d0) -> (0, d0 - 3)>(%i) to min affine_map<(d0) -> (9, d0 + 4)>(%i) step 2 iter_args(%a = %zero) -> (f32) {
      %v = affine.load %x[%k] : memref<9xf32>
      %b = arith.addf %a, %v : f32
      affine.yield %b : f32
    }
    affine.store %s, %y[%i] : memref<9xf32>
  }
  return
}

// Each iteration needs the one before.
func.func @recurrence(%x: memref<9xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 9 {
    %s = affine.for %k = max affine_map<(d0) -> (0, d0 - 2)>(%i) to min affine_map<(d0) -> (9, d0 + 1)>(%i) iter_args(%a = %zero) -> (f32) {
      %v = affine.load %x[%k] : memref<9xf32>
      %b = arith.addf %a, %v : f32
      affine.yield %b : f32
    }
    affine.store %s, %x[%i] : memref<9xf32>
  }
  return
}

// Distances to ends that may be any number of 64 bits wrap around.
func.func @any_ends(%x: memref<9xf32>, %y: memref<9xf32>, %from: index, %to: index) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 7 {
    %s = affine.for %k = max affine_map<(d0)[s0] -> (s0, d0)>(%i)[%from] to min affine_map<(d0)[s0] -> (s0, d0 + 3)>(%i)[%to] iter_args(%a = %zero) -> (f32) {
      %v = affine.load %x[%k] : memref<9xf32>
      %b = arith.addf %a, %v : f32
      affine.yield %b : f32
    }
    affine.store %s, %y[%i] : memref<9xf32>
  }
  return
}

// Stores are no reduction.
func.func @stores(%x: memref<9x9xf32>) {
  %one = arith.constant 1.0 : f32
  affine.for %i = 0 to 9 {
    affine.for %k = max affine_map<(d0) -> (0, d0 - 2)>(%i) to min affine_map<(d0) -> (9, d0 + 3)>(%i) {
      affine.store %one, %x[%i, %k] : memref<9x9xf32>
    }
  }
  return
}

// A tile of a triangle, whose half is empty along the diagonal.
func.func @tile(%x: memref<32x32xf32>, %y: memref<2x32xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 32 {
    affine.for %b = 0 to 2 {
      %s = affine.for %k = affine_map<(d0) -> (d0 * 16)>(%b) to min affine_map<(d0, d1) -> (d1, d0 * 16 + 16)>(%b, %i) iter_args(%a = %zero) -> (f32) {
        %v = affine.load %x[%i, %k] : memref<32x32xf32>
        %n = arith.addf %a, %v : f32
        affine.yield %n : f32
      }
      affine.store %s, %y[%b, %i] : memref<2x32xf32>
    }
  }
  return
}
