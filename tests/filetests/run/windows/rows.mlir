// Buffers of 64 KiB and 256 KiB where a kernel sees 16 KiB: rows, a stencil whose windows overlap, one with a
// small table that is seen whole, elements of 8 bytes, an open size; a gather, of which no window is proved, stays
// on the host.
//
// test: run --entry=scale --arg=iota --arg=zeros --binding-limit=16KiB
// test: run --entry=stencil --arg=iota --arg=zeros --binding-limit=16KiB
// test: run --entry=table --arg=random:1 --arg=random:2 --arg=zeros --binding-limit=16KiB
// test: run --entry=wide --arg=random:3 --arg=zeros --binding-limit=16KiB
// test: run --entry=open --arg=random:4[20000] --arg=zeros[20000] --binding-limit=16KiB
// test: run --entry=gather --arg=random:5 --arg=iota --arg=zeros --binding-limit=16KiB
// test: run --entry=scale --arg=iota --arg=zeros --binding-limit=16KiB --portable
func.func @scale(%x: memref<128x128xf32>, %y: memref<128x128xf32>) {
  affine.for %i = 0 to 128 {
    affine.for %j = 0 to 128 {
      %v = affine.load %x[%i, %j] : memref<128x128xf32>
      %w = arith.addf %v, %v : f32
      affine.store %w, %y[%i, %j] : memref<128x128xf32>
    }
  }
  return
}

func.func @stencil(%x: memref<256x256xf32>, %y: memref<256x256xf32>) {
  affine.for %i = 1 to 255 {
    affine.for %j = 1 to 255 {
      %a = affine.load %x[%i - 1, %j] : memref<256x256xf32>
      %b = affine.load %x[%i + 1, %j] : memref<256x256xf32>
      %c = affine.load %x[%i, %j - 1] : memref<256x256xf32>
      %d = affine.load %x[%i, %j + 1] : memref<256x256xf32>
      %e = arith.addf %a, %b : f32
      %f = arith.addf %c, %d : f32
      %g = arith.addf %e, %f : f32
      affine.store %g, %y[%i, %j] : memref<256x256xf32>
    }
  }
  return
}

func.func @table(%x: memref<256x64xf32>, %t: memref<64xf32>, %y: memref<256x64xf32>) {
  affine.for %i = 0 to 256 {
    affine.for %j = 0 to 64 {
      %v = affine.load %x[%i, %j] : memref<256x64xf32>
      %f = affine.load %t[%j] : memref<64xf32>
      %w = arith.mulf %v, %f : f32
      affine.store %w, %y[%i, %j] : memref<256x64xf32>
    }
  }
  return
}

func.func @wide(%x: memref<8192xi64>, %y: memref<8192xi64>) {
  affine.for %i = 0 to 8192 {
    %v = affine.load %x[%i] : memref<8192xi64>
    %w = arith.addi %v, %v : i64
    affine.store %w, %y[8191 - %i] : memref<8192xi64>
  }
  return
}

func.func @open(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    %v = affine.load %x[%i] : memref<?xf32>
    %w = arith.addf %v, %v : f32
    affine.store %w, %y[%i] : memref<?xf32>
  }
  return
}

func.func @gather(%x: memref<8192xf32>, %n: memref<512xi32>, %y: memref<512xf32>) {
  %c15 = arith.constant 15 : i32
  affine.for %i = 0 to 512 {
    %v = affine.load %n[%i] : memref<512xi32>
    %w = arith.muli %v, %c15 : i32
    %p = arith.index_cast %w : i32 to index
    %e = memref.load %x[%p] : memref<8192xf32>
    affine.store %e, %y[%i] : memref<512xf32>
  }
  return
}
