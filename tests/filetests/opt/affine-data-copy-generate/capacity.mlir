// test: opt "--affine-data-copy-generate=fast-mem-capacity=1 generate-dma min-dma-transfer=64 fast-mem-space=3 tag-mem-space=2"
// test: run-opt --entry=rows --arg=random:1 --arg=random:2

// All of %a is 4 KiB, a row with its element of %b one of 132 bytes. The element is too small for a transfer.
func.func @rows(%a: memref<32x32xf32>, %b: memref<32xf32>) {
  affine.for %i = 0 to 32 {
    affine.for %j = 0 to 32 {
      %x = affine.load %a[%i, %j] : memref<32x32xf32>
      %y = affine.load %b[%i] : memref<32xf32>
      %z = arith.addf %x, %y : f32
      affine.store %z, %b[%i] : memref<32xf32>
    }
  }
  return
}

// remark: 22:12: the buffers of the loop do not fit the fast memory
func.func @wide(%a: memref<4x2000xf32>, %b: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 2000 {
      // The innermost loop goes over 8 KB.
      %z = affine.load %b[%i] : memref<4xf32>
      %x = affine.load %a[%i, %j] : memref<4x2000xf32>
      affine.store %z, %b[%i] : memref<4xf32>
    }
  }
  return
}
