// Indices are proved one by one: the flag names the dimensions whose index is in range.
// test: opt --affine-mark-inbounds
// test: run-opt --entry=chosen --arg=iota --arg=random:4
// test: run-opt --entry=narrow --arg=random:5 --arg=random:6 --arg=random:7
// test: run-opt --entry=scaled --arg=iota[64] --arg=zeros

// The row is the counter, the column is loaded; a flag that the input makes up goes.
func.func @chosen(%keys: memref<8xindex>, %a: memref<8x16xf32>) {
  %c15 = arith.constant 15 : index
  affine.for %i = 0 to 8 {
    %k = affine.load %keys[%i] : memref<8xindex>
    %m = arith.andi %k, %c15 : index
    %x = memref.load %a[%i, %m] : memref<8x16xf32>
    memref.store %x, %a[%i, %k] : memref<8x16xf32>
    memref.store %x, %a[%k, %i] {gridloom.inbounds = array<i1: true, false>} : memref<8x16xf32>
    memref.store %x, %a[%k, %k] {gridloom.inbounds = array<i1: true, false>} : memref<8x16xf32>
  }
  return
}

// Narrow unsigned types, masks, remainders, shifts and extrema bound what is computed from loads; sums that may wrap
// around, and signed numbers, are not bounded.
func.func @narrow(%bytes: memref<8xi8>, %words: memref<8xi32>, %h: memref<256xf32>) {
  %one = arith.constant 1.0 : f32
  %c1 = arith.constant 1 : i32
  %c24 = arith.constant 24 : i32
  %c63 = arith.constant 63 : i32
  %c100 = arith.constant 100 : i32
  %c255 = arith.constant 255 : i32
  %zero = arith.constant 0 : i32
  %b127 = arith.constant 127 : i8
  affine.for %i = 0 to 8 {
    %byte = affine.load %bytes[%i] : memref<8xi8>
    %word = affine.load %words[%i] : memref<8xi32>
    %u = arith.extui %byte : i8 to i32
    %uk = arith.index_cast %u : i32 to index
    memref.store %one, %h[%uk] : memref<256xf32>
    %more = arith.addi %u, %c1 : i32
    %morek = arith.index_cast %more : i32 to index
    memref.store %one, %h[%morek] : memref<256xf32>
    %half = arith.shrui %more, %c1 : i32
    %halfk = arith.index_cast %half : i32 to index
    memref.store %one, %h[%halfk] : memref<256xf32>
    %s = arith.extsi %byte : i8 to i32
    %sk = arith.index_cast %s : i32 to index
    memref.store %one, %h[%sk] : memref<256xf32>
    %wrapped = arith.addi %byte, %b127 : i8
    %wk = arith.index_castui %wrapped : i8 to index
    memref.store %one, %h[%wk] : memref<256xf32>
    %r = arith.remui %word, %c100 : i32
    %rk = arith.index_cast %r : i32 to index
    memref.store %one, %h[%rk] : memref<256xf32>
    %rs = arith.remsi %word, %c100 : i32
    %rsk = arith.index_cast %rs : i32 to index
    memref.store %one, %h[%rsk] : memref<256xf32>
    %top = arith.shrui %word, %c24 : i32
    %topk = arith.index_cast %top : i32 to index
    memref.store %one, %h[%topk] : memref<256xf32>
    %m = arith.andi %c63, %word : i32
    %mx = arith.xori %m, %u : i32
    %mk = arith.index_cast %mx : i32 to index
    memref.store %one, %h[%mk] : memref<256xf32>
    %low = arith.maxsi %word, %zero : i32
    %clamped = arith.minsi %low, %c255 : i32
    %ck = arith.index_cast %clamped : i32 to index
    memref.store %one, %h[%ck] : memref<256xf32>
    %narrow = arith.trunci %word : i32 to i8
    %nk = arith.index_cast %narrow : i8 to index
    memref.store %one, %h[%nk] : memref<256xf32>
  }
  return
}

// Places that are computed in floats: 63 * 0.4921875 is 31.0078125, so that the last one is 31; by 0.51, it is 32.
func.func @scaled(%x: memref<64xf32>, %y: memref<32xf32>) {
  %near = arith.constant 0.4921875 : f32
  %far = arith.constant 0.51 : f32
  affine.for %i = 0 to 64 {
    %v = affine.load %x[%i] : memref<64xf32>
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    %p = arith.mulf %f, %near : f32
    %k = arith.fptosi %p : f32 to i32
    %at = arith.index_cast %k : i32 to index
    memref.store %v, %y[%at] : memref<32xf32>
    %q = arith.mulf %f, %far : f32
    %l = arith.fptosi %q : f32 to i32
    %c31 = arith.constant 31 : i32
    %beyond = arith.index_cast %l : i32 to index
    %old = memref.load %y[%at] : memref<32xf32>
    %inside = arith.cmpi sle, %l, %c31 : i32
    scf.if %inside {
      memref.store %old, %y[%beyond] : memref<32xf32>
    }
    %loaded = arith.fptosi %v : f32 to i32
    %anywhere = arith.index_cast %loaded : i32 to index
    %c63 = arith.constant 63 : index
    %masked = arith.remui %anywhere, %c63 : index
    %z = memref.load %x[%masked] : memref<64xf32>
    memref.store %z, %y[%at] : memref<32xf32>
  }
  return
}
