// test: opt --parallelize-inspected-loops=target=gpu

// Swaps with elements that a table names.
// test: run-opt --entry=swaps --arg=iota --arg=random:1
func.func @swaps(%p: memref<4096xi32>, %x: memref<4096xf32>) {
  %d:2 = memref.distinct_objects %p, %x : memref<4096xi32>, memref<4096xf32>
  %mask = arith.constant 4095 : i32
  affine.for %i = 0 to 4096 {
    %w = affine.load %d#0[%i] : memref<4096xi32>
    %r = arith.xori %w, %mask : i32
    %j = arith.index_cast %r : i32 to index
    %c = arith.cmpi slt, %i, %j : index
    scf.if %c {
      %a = affine.load %d#1[%i] : memref<4096xf32>
      %b = memref.load %d#1[%j] : memref<4096xf32>
      affine.store %b, %d#1[%i] : memref<4096xf32>
      memref.store %a, %d#1[%j] : memref<4096xf32>
    }
  }
  return
}

// Neither the number of iterations nor the size of the array is known: the run tests both.
// test: run-opt --entry=open --arg=iota[5000] --arg=random:1[5000] --arg=5000
// test: run-opt --entry=open --arg=zeros[5000] --arg=random:1[5000] --arg=5000
// test: run-opt --entry=open --arg=iota[2] --arg=random:1[50] --arg=2
func.func @open(%p: memref<?xindex>, %x: memref<?xf32>, %n: index) {
  %d:2 = memref.distinct_objects %p, %x : memref<?xindex>, memref<?xf32>
  affine.for %i = 0 to %n {
    %j = affine.load %d#0[%i] : memref<?xindex>
    %a = memref.load %d#1[%j] : memref<?xf32>
    %b = math.absf %a : f32
    memref.store %b, %d#1[%j] : memref<?xf32>
  }
  return
}

// The next subscript comes from the array itself, and another loop's accesses are in a loop of its own: both stay.
func.func @chained(%x: memref<4096xindex>) {
  affine.for %i = 0 to 4096 {
    %j = affine.load %x[%i] : memref<4096xindex>
    memref.store %i, %x[%j] : memref<4096xindex>
  }
  return
}

func.func @inside(%p: memref<4096xindex>, %x: memref<4096xf32>) {
  %d:2 = memref.distinct_objects %p, %x : memref<4096xindex>, memref<4096xf32>
  affine.for %i = 0 to 4096 {
    affine.for %k = 0 to 4 {
      %j = affine.load %d#0[%i] : memref<4096xindex>
      %a = memref.load %d#1[%j] : memref<4096xf32>
      %b = arith.addf %a, %a : f32
      memref.store %b, %d#1[%j] : memref<4096xf32>
    }
  }
  return
}
