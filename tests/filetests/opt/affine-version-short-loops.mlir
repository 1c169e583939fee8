// On drivers that run kernels on the CPU, nests of open sizes have a version for sizes that would leave the lanes along a loop idle.
// test: opt --affine-mark-inbounds --affine-version-short-loops=target=gathering-cpu
// test: run-opt --entry=pairs --arg=iota[300x2] --arg=iota[2] --arg=zeros[300x2]
// test: run-opt --entry=pairs --arg=iota[7x4] --arg=iota[4] --arg=zeros[7x4]
// test: run-opt --entry=pairs --arg=iota[7x5] --arg=iota[5] --arg=zeros[7x5]
// test: run-opt --entry=inner --arg=iota[9x7] --arg=iota[9] --arg=zeros[9x7]
// test: run-opt --entry=inner --arg=iota[9x2] --arg=iota[9] --arg=zeros[9x2]
// test: run-opt --entry=product --arg=iota[2x3] --arg=iota[3x16] --arg=zeros[2x16]
// test: run-opt --entry=product --arg=iota[2x3] --arg=iota[3x17] --arg=zeros[2x17]
// test: run-opt --entry=product --arg=iota[8x3] --arg=iota[3x4] --arg=zeros[8x4]
// test: run-opt --entry=product --arg=iota[9x3] --arg=iota[3x4] --arg=zeros[9x4]
// test: run-opt --entry=product --arg=iota[17x3] --arg=iota[3x4] --arg=zeros[17x4]

// Up to four columns, lanes are along rows.
func.func @pairs(%x: memref<?x?xf32>, %w: memref<?xf32>, %y: memref<?x?xf32>) {
  %0:3 = memref.distinct_objects %x, %w, %y : memref<?x?xf32>, memref<?xf32>, memref<?x?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %a = affine.load %0#0[%i, %j] : memref<?x?xf32>
      %b = affine.load %0#1[%j] : memref<?xf32>
      %c = arith.mulf %a, %b : f32
      affine.store %c, %0#2[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// Two columns fewer, of which every second one is: `ceildiv(n - 2, 2) <= 4` where `n <= 10`.
func.func @inner(%x: memref<?x?xf32>, %w: memref<?xf32>, %y: memref<?x?xf32>) {
  %0:3 = memref.distinct_objects %x, %w, %y : memref<?x?xf32>, memref<?xf32>, memref<?x?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 1 to affine_map<()[n] -> (n - 1)>()[%n] step 2 {
      %a = affine.load %0#0[%i, %j] : memref<?x?xf32>
      %b = affine.load %0#1[%i] : memref<?xf32>
      %c = arith.mulf %a, %b : f32
      affine.store %c, %0#2[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// Sums of products share what neighbours load: up to 16 columns, a thread has fewer of them. Up to four columns, lanes are along
// rows, of which up to 8, and up to 16, are few for tiles.
func.func @product(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %0:3 = memref.distinct_objects %a, %b, %c : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %m = memref.dim %c, %c0 : memref<?x?xf32>
  %n = memref.dim %c, %c1 : memref<?x?xf32>
  %l = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %s = affine.for %k = 0 to %l iter_args(%t = %z) -> (f32) {
        %x = affine.load %0#0[%i, %k] : memref<?x?xf32>
        %y = affine.load %0#1[%k, %j] : memref<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %q = arith.addf %t, %p : f32
        affine.yield %q : f32
      }
      affine.store %s, %0#2[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// Left alone: without another loop there is little to do where this one is short.
func.func @line(%x: memref<?xf32>, %y: memref<?xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<?xf32>, memref<?xf32>
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    %a = affine.load %0#0[%i] : memref<?xf32>
    affine.store %a, %0#1[%i] : memref<?xf32>
  }
  return
}

// Left alone: sizes are known.
func.func @known(%x: memref<100x2xf32>, %w: memref<2xf32>, %y: memref<100x2xf32>) {
  %0:3 = memref.distinct_objects %x, %w, %y : memref<100x2xf32>, memref<2xf32>, memref<100x2xf32>
  affine.for %i = 0 to 100 {
    affine.for %j = 0 to 2 {
      %a = affine.load %0#0[%i, %j] : memref<100x2xf32>
      %b = affine.load %0#1[%j] : memref<2xf32>
      %c = arith.mulf %a, %b : f32
      affine.store %c, %0#2[%i, %j] : memref<100x2xf32>
    }
  }
  return
}
