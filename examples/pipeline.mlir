// pipeline: a host function that allocates, calls two kernels and copies.
//
//     squares[i] = x[i] * x[i]
//     folded[i]  = squares[i] + 0.5 * squares[4095 - i]
//     y          = folded                     for 0 <= i < 4096
//
// Arguments: x (4096 × f32, read), y (4096 × f32, written).
// The two arrays in between live only inside @main. Each private function holds
// one parallel loop; the arrays should stay on the device from one to the next.
//
// Run:  gridloom run examples/pipeline.mlir --arg iota --arg zeros

func.func @main(%x: memref<4096xf32>, %y: memref<4096xf32>) {
  %squares = memref.alloc() : memref<4096xf32>
  %folded = memref.alloc() : memref<4096xf32>
  call @square(%x, %squares) : (memref<4096xf32>, memref<4096xf32>) -> ()
  call @fold(%squares, %folded) : (memref<4096xf32>, memref<4096xf32>) -> ()
  memref.copy %folded, %y : memref<4096xf32> to memref<4096xf32>
  memref.dealloc %squares : memref<4096xf32>
  memref.dealloc %folded : memref<4096xf32>
  return
}

func.func private @square(%x: memref<4096xf32>, %squares: memref<4096xf32>) {
  affine.for %i = 0 to 4096 {
    %xi = affine.load %x[%i] : memref<4096xf32>
    %square = arith.mulf %xi, %xi : f32
    affine.store %square, %squares[%i] : memref<4096xf32>
  }
  return
}

func.func private @fold(%squares: memref<4096xf32>, %folded: memref<4096xf32>) {
  %half = arith.constant 0.5 : f32
  affine.for %i = 0 to 4096 {
    %here = affine.load %squares[%i] : memref<4096xf32>
    %there = affine.load %squares[-%i + 4095] : memref<4096xf32>
    %part = arith.mulf %half, %there : f32
    %sum = arith.addf %here, %part : f32
    affine.store %sum, %folded[%i] : memref<4096xf32>
  }
  return
}
