// Copies in kernels: rows between arguments, a column into workgroup memory, and whole memrefs of open
// sizes and another layout. x is 0 … 7 as 2x4; row b goes to y; column 1 (1, 5) goes to z by way of
// workgroup memory; t gets y transposed.
//
// test: run --arg=iota --arg=zeros --arg=zeros --arg=zeros
// expect: arg 1 = [0, 1, 2, 3, 4, 5, 6, 7]
// expect: arg 2 = [1, 5]
// expect: arg 3 = [0, 4, 1, 5, 2, 6, 3, 7]
#row = strided<[1], offset: ?>
#column = strided<[4], offset: 1>
#turned = strided<[1, ?], offset: ?>
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @rows(%x: memref<2x4xf16>, %y: memref<2x4xf16>) kernel {
      %b = gpu.block_id x
      %from = memref.subview %x[%b, 0] [1, 4] [1, 1] : memref<2x4xf16> to memref<4xf16, #row>
      %to = memref.subview %y[%b, 0] [1, 4] [1, 1] : memref<2x4xf16> to memref<4xf16, #row>
      memref.copy %from, %to : memref<4xf16, #row> to memref<4xf16, #row>
      gpu.return
    }
    gpu.func @column(%x: memref<2x4xf16>, %z: memref<2xf16>) workgroup(%w: memref<2xf16, 3>) kernel {
      %from = memref.subview %x[0, 1] [2, 1] [1, 1] : memref<2x4xf16> to memref<2xf16, #column>
      memref.copy %from, %w : memref<2xf16, #column> to memref<2xf16, 3>
      memref.copy %w, %z : memref<2xf16, 3> to memref<2xf16>
      gpu.return
    }
    gpu.func @whole(%y: memref<?x?xf16, #turned>, %t: memref<?x?xf16>) kernel {
      memref.copy %y, %t : memref<?x?xf16, #turned> to memref<?x?xf16>
      gpu.return
    }
  }
  func.func @main(%x: memref<2x4xf16>, %y: memref<2x4xf16>, %z: memref<2xf16>, %t: memref<4x2xf16>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    gpu.launch_func @m::@rows blocks in (%c2, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%x : memref<2x4xf16>, %y : memref<2x4xf16>)
    gpu.launch_func @m::@column blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%x : memref<2x4xf16>, %z : memref<2xf16>)
    %turned = memref.transpose %y (i, j) -> (j, i) : memref<2x4xf16> to memref<4x2xf16, strided<[1, 4]>>
    %open = memref.cast %turned : memref<4x2xf16, strided<[1, 4]>> to memref<?x?xf16, #turned>
    %to = memref.cast %t : memref<4x2xf16> to memref<?x?xf16>
    gpu.launch_func @m::@whole blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%open : memref<?x?xf16, #turned>, %to : memref<?x?xf16>)
    return
  }
}
