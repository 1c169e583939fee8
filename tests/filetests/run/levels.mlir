// Programs at the lower optimization levels: what is parallel as written runs in kernels at each, the rest from -O1 on.
// test: run -O0 --entry=rows --arg=random:1 --arg=zeros
// test: run -O1 --entry=rows --arg=random:1 --arg=zeros
// test: run -O0 --map-for=gpu --entry=product --arg=random:1[33x17] --arg=random:2[17x65] --arg=random:3[33x65]
// test: run -O1 --map-for=gpu --entry=product --arg=random:1[33x17] --arg=random:2[17x65] --arg=random:3[33x65]
// test: run -O0 --entry=mixed --arg=random:1 --arg=random:2 --arg=zeros
// test: run -O1 --entry=mixed --arg=random:1 --arg=random:2 --arg=zeros
// test: run -O1 --map-for=gpu --entry=mixed --arg=random:1 --arg=random:2 --arg=zeros
// test: run -O0 --entry=as_kernels --arg=random:1 --arg=random:2 --arg=iota
// test: run-compiled -O0 --entry=rows --arg=random:1 --arg=zeros
func.func @rows(%x: memref<211x19xf32>, %y: memref<211xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 211 {
    %sum = affine.for %j = 0 to 19 iter_args(%before = %zero) -> (f32) {
      %v = affine.load %x[%i, %j] : memref<211x19xf32>
      %after = arith.addf %before, %v : f32
      affine.yield %after : f32
    }
    affine.store %sum, %y[%i] : memref<211xf32>
  }
  return
}

// At the highest level, tiles of points in registers and, on GPUs, parts of both factors in workgroup memory.
func.func @product(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %l = memref.dim %a, %c1 : memref<?x?xf32>
  %n = memref.dim %b, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      affine.for %k = 0 to %l {
        %x = affine.load %a[%i, %k] : memref<?x?xf32>
        %y = affine.load %b[%k, %j] : memref<?x?xf32>
        %z = affine.load %c[%i, %j] : memref<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// A sum, a histogram and a recurrence are sequential as written; the first two are not from -O1 on.
func.func @mixed(%x: memref<3000xf32>, %key: memref<3000xi32>, %y: memref<3000xf32>) -> (f32, memref<16xi32>) {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %fifteen = arith.constant 15 : i32
  %bins = memref.alloc() : memref<16xi32>
  affine.for %i = 0 to 16 {
    affine.store %none, %bins[%i] : memref<16xi32>
  }
  %sum = affine.for %i = 0 to 3000 iter_args(%before = %zero) -> (f32) {
    %v = affine.load %x[%i] : memref<3000xf32>
    %after = arith.addf %before, %v : f32
    affine.yield %after : f32
  }
  affine.for %i = 0 to 3000 {
    %k = affine.load %key[%i] : memref<3000xi32>
    %bin = arith.andi %k, %fifteen : i32
    %j = arith.index_cast %bin : i32 to index
    %count = memref.load %bins[%j] : memref<16xi32>
    %more = arith.addi %count, %one : i32
    memref.store %more, %bins[%j] : memref<16xi32>
  }
  affine.for %i = 1 to 3000 {
    %before = affine.load %y[%i - 1] : memref<3000xf32>
    %v = affine.load %x[%i] : memref<3000xf32>
    %p = arith.mulf %before, %v : f32
    %s = arith.addf %p, %v : f32
    affine.store %s, %y[%i] : memref<3000xf32>
  }
  return %sum, %bins : f32, memref<16xi32>
}

// Loops that the program declares parallel, and a launch of its own beside them.
func.func @as_kernels(%x: memref<130xf32>, %y: memref<130xf32>, %at: memref<130xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c65 = arith.constant 65 : index
  %c130 = arith.constant 130 : index
  scf.parallel (%i) = (%c0) to (%c130) step (%c1) {
    %to = memref.load %at[%i] : memref<130xi32>
    %j = arith.index_cast %to : i32 to index
    %v = memref.load %x[%i] : memref<130xf32>
    memref.store %v, %y[%j] : memref<130xf32>
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%nx = %c65, %ny = %c1, %nz = %c1) {
    %start = arith.muli %bx, %c65 : index
    %i = arith.addi %start, %tx : index
    %v = memref.load %y[%i] : memref<130xf32>
    %twice = arith.addf %v, %v : f32
    memref.store %twice, %y[%i] : memref<130xf32>
    gpu.terminator
  }
  return
}
