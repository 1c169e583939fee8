// Iterative radix-2 transforms, whose strides are powers of two that a loop around computes. The
// transform of 0, 1, 2 … 15 is Python's, by its definition; the Walsh-Hadamard transform as well.
// test: run --entry=nested --arg=iota --arg=zeros
// expect: arg 0 = [120, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8] within 1e-4
// test: run --entry=flat --arg=iota --arg=zeros
// expect: arg 0 = [120, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8] within 1e-4
// test: run --entry=declared --arg=iota --arg=zeros
// expect: arg 0 = [120, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8, -8] within 1e-4
// test: run --entry=lengths --arg=iota --arg=16
// expect: arg 0 = [120, -8, -16, 0, -32, 0, 0, 0, -64, 0, 0, 0, 0, 0, 0, 0]
// test: run --entry=lengths --arg=iota --arg=0
// expect: arg 0 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
// test: run --entry=masks --arg=iota
// expect: arg 0 = [120, -8, -16, 0, -32, 0, 0, 0, -64, 0, 0, 0, 0, 0, 0, 0]

// Puts the elements in the order of reversed bits, and computes the roots of unity.
func.func private @prepare(%re: memref<16xf32>, %cos: memref<8xf32>, %sin: memref<8xf32>) {
  %before = memref.alloc() : memref<16xf32>
  affine.for %i = 0 to 16 {
    %x = affine.load %re[%i] : memref<16xf32>
    affine.store %x, %before[%i] : memref<16xf32>
  }
  affine.for %i = 0 to 16 {
    %x = affine.load %before[(%i mod 2) * 8 + ((%i floordiv 2) mod 2) * 4 + ((%i floordiv 4) mod 2) * 2 + %i floordiv 8] : memref<16xf32>
    affine.store %x, %re[%i] : memref<16xf32>
  }
  %part = arith.constant -0.39269908169872414 : f32
  affine.for %i = 0 to 8 {
    %w = arith.index_cast %i : index to i32
    %n = arith.sitofp %w : i32 to f32
    %angle = arith.mulf %n, %part : f32
    %c = math.cos %angle : f32
    %s = math.sin %angle : f32
    affine.store %c, %cos[%i] : memref<8xf32>
    affine.store %s, %sin[%i] : memref<8xf32>
  }
  memref.dealloc %before : memref<16xf32>
  return
}

// Three loops: stages, blocks in steps of their length, butterflies of a block.
func.func @nested(%re: memref<16xf32>, %im: memref<16xf32>) {
  %cos = memref.alloc() : memref<8xf32>
  %sin = memref.alloc() : memref<8xf32>
  call @prepare(%re, %cos, %sin) : (memref<16xf32>, memref<8xf32>, memref<8xf32>) -> ()
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = arith.constant 16 : index
  scf.for %s = %c0 to %c4 step %c1 {
    %half = arith.shli %c1, %s : index
    %m = arith.shli %half, %c1 : index
    %every = arith.divui %n, %m : index
    scf.for %k = %c0 to %n step %m {
      scf.for %j = %c0 to %half step %c1 {
        %root = arith.muli %j, %every : index
        %c = memref.load %cos[%root] : memref<8xf32>
        %d = memref.load %sin[%root] : memref<8xf32>
        %p = arith.addi %k, %j : index
        %q = arith.addi %p, %half : index
        %xr = memref.load %re[%q] : memref<16xf32>
        %xi = memref.load %im[%q] : memref<16xf32>
        %t0 = arith.mulf %xr, %c : f32
        %t1 = arith.mulf %xi, %d : f32
        %t2 = arith.mulf %xr, %d : f32
        %t3 = arith.mulf %xi, %c : f32
        %tr = arith.subf %t0, %t1 : f32
        %ti = arith.addf %t2, %t3 : f32
        %ur = memref.load %re[%p] : memref<16xf32>
        %ui = memref.load %im[%p] : memref<16xf32>
        %a = arith.addf %ur, %tr : f32
        %b = arith.addf %ui, %ti : f32
        %e = arith.subf %ur, %tr : f32
        %f = arith.subf %ui, %ti : f32
        memref.store %a, %re[%p] : memref<16xf32>
        memref.store %b, %im[%p] : memref<16xf32>
        memref.store %e, %re[%q] : memref<16xf32>
        memref.store %f, %im[%q] : memref<16xf32>
      }
    }
  }
  memref.dealloc %cos : memref<8xf32>
  memref.dealloc %sin : memref<8xf32>
  return
}

// Two loops: the number of a butterfly is taken apart by division.
func.func @flat(%re: memref<16xf32>, %im: memref<16xf32>) {
  %cos = memref.alloc() : memref<8xf32>
  %sin = memref.alloc() : memref<8xf32>
  call @prepare(%re, %cos, %sin) : (memref<16xf32>, memref<8xf32>, memref<8xf32>) -> ()
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  affine.for %s = 0 to 4 {
    %half = arith.shli %c1, %s : index
    affine.for %i = 0 to 8 {
      %block = arith.divui %i, %half : index
      %j = arith.remui %i, %half : index
      %m = arith.shli %half, %c1 : index
      %k = arith.muli %block, %m : index
      %every = arith.divui %c8, %half : index
      %root = arith.muli %j, %every : index
      %c = memref.load %cos[%root] : memref<8xf32>
      %d = memref.load %sin[%root] : memref<8xf32>
      %p = arith.addi %k, %j : index
      %q = arith.addi %p, %half : index
      %xr = memref.load %re[%q] : memref<16xf32>
      %xi = memref.load %im[%q] : memref<16xf32>
      %t0 = arith.mulf %xr, %c : f32
      %t1 = arith.mulf %xi, %d : f32
      %t2 = arith.mulf %xr, %d : f32
      %t3 = arith.mulf %xi, %c : f32
      %tr = arith.subf %t0, %t1 : f32
      %ti = arith.addf %t2, %t3 : f32
      %ur = memref.load %re[%p] : memref<16xf32>
      %ui = memref.load %im[%p] : memref<16xf32>
      %a = arith.addf %ur, %tr : f32
      %b = arith.addf %ui, %ti : f32
      %e = arith.subf %ur, %tr : f32
      %f = arith.subf %ui, %ti : f32
      memref.store %a, %re[%p] : memref<16xf32>
      memref.store %b, %im[%p] : memref<16xf32>
      memref.store %e, %re[%q] : memref<16xf32>
      memref.store %f, %im[%q] : memref<16xf32>
    }
  }
  memref.dealloc %cos : memref<8xf32>
  memref.dealloc %sin : memref<8xf32>
  return
}

// The program says that the butterflies of a stage are independent.
func.func @declared(%re: memref<16xf32>, %im: memref<16xf32>) {
  %cos = memref.alloc() : memref<8xf32>
  %sin = memref.alloc() : memref<8xf32>
  call @prepare(%re, %cos, %sin) : (memref<16xf32>, memref<8xf32>, memref<8xf32>) -> ()
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = arith.constant 16 : index
  scf.for %s = %c0 to %c4 step %c1 {
    %half = arith.shli %c1, %s : index
    %m = arith.shli %half, %c1 : index
    %every = arith.divui %n, %m : index
    scf.parallel (%k, %j) = (%c0, %c0) to (%n, %half) step (%m, %c1) {
      %root = arith.muli %j, %every : index
      %c = memref.load %cos[%root] : memref<8xf32>
      %d = memref.load %sin[%root] : memref<8xf32>
      %p = arith.addi %k, %j : index
      %q = arith.addi %p, %half : index
      %xr = memref.load %re[%q] : memref<16xf32>
      %xi = memref.load %im[%q] : memref<16xf32>
      %t0 = arith.mulf %xr, %c : f32
      %t1 = arith.mulf %xi, %d : f32
      %t2 = arith.mulf %xr, %d : f32
      %t3 = arith.mulf %xi, %c : f32
      %tr = arith.subf %t0, %t1 : f32
      %ti = arith.addf %t2, %t3 : f32
      %ur = memref.load %re[%p] : memref<16xf32>
      %ui = memref.load %im[%p] : memref<16xf32>
      %a = arith.addf %ur, %tr : f32
      %b = arith.addf %ui, %ti : f32
      %e = arith.subf %ur, %tr : f32
      %f = arith.subf %ui, %ti : f32
      memref.store %a, %re[%p] : memref<16xf32>
      memref.store %b, %im[%p] : memref<16xf32>
      memref.store %e, %re[%q] : memref<16xf32>
      memref.store %f, %im[%q] : memref<16xf32>
    }
  }
  memref.dealloc %cos : memref<8xf32>
  memref.dealloc %sin : memref<8xf32>
  return
}

// Lengths of blocks are doubled while they fit; half of one is a number of its own.
func.func @lengths(%x: memref<16xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %last = scf.while (%m = %c2) : (index) -> index {
    %more = arith.cmpi ule, %m, %n : index
    scf.condition(%more) %m : index
  } do {
  ^bb0(%m: index):
    %half = arith.shrui %m, %c1 : index
    scf.for %k = %c0 to %n step %m {
      scf.for %j = %c0 to %half step %c1 {
        %p = arith.addi %k, %j : index
        %q = arith.addi %p, %half : index
        %a = memref.load %x[%p] : memref<16xi32>
        %b = memref.load %x[%q] : memref<16xi32>
        %s = arith.addi %a, %b : i32
        %d = arith.subi %a, %b : i32
        memref.store %s, %x[%p] : memref<16xi32>
        memref.store %d, %x[%q] : memref<16xi32>
      }
    }
    %twice = arith.shli %m, %c1 : index
    scf.yield %twice : index
  }
  return
}

// Masks in place of division: twice the number of a butterfly less its place in the block.
func.func @masks(%x: memref<16xi32>) {
  %c1 = arith.constant 1 : index
  affine.for %s = 0 to 4 {
    %half = arith.shli %c1, %s : index
    %mask = arith.subi %half, %c1 : index
    affine.for %i = 0 to 8 {
      %j = arith.andi %i, %mask : index
      %twice = arith.shli %i, %c1 : index
      %p = arith.subi %twice, %j : index
      %q = arith.addi %p, %half : index
      %a = memref.load %x[%p] : memref<16xi32>
      %b = memref.load %x[%q] : memref<16xi32>
      %t = arith.addi %a, %b : i32
      %d = arith.subi %a, %b : i32
      memref.store %t, %x[%p] : memref<16xi32>
      memref.store %d, %x[%q] : memref<16xi32>
    }
  }
  return
}
