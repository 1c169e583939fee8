// test: opt --parallelize-strided-loops
// test: run-opt --entry=blocks --arg=random:1[40] --arg=32 --arg=8 --arg=4
// test: run-opt --entry=blocks --arg=random:1[40] --arg=32 --arg=6 --arg=4
// test: run-opt --entry=places --arg=random:2[40] --arg=31 --arg=8 --arg=4
// test: run-opt --entry=places --arg=random:2[40] --arg=31 --arg=4 --arg=4
// test: run-opt --entry=cut --arg=random:3[40] --arg=30 --arg=8
// test: run-opt --entry=bits --arg=random:4[32] --arg=2
// test: run-opt --entry=bits --arg=random:4[32] --arg=0
// test: run-opt --entry=subsets --arg=random:5[32] --arg=3
// test: run-opt --entry=multiples --arg=random:6[32] --arg=4
// test: run-opt --entry=multiples --arg=random:6[32] --arg=1
// test: run-opt --entry=left --arg=random:7[40] --arg=5 --arg=4

// The inner loop begins where its block does: it counts from 0.
func.func @blocks(%x: memref<?xf32>, %n: index, %m: index, %h: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %m {
    %end = arith.addi %k, %h : index
    scf.for %p = %k to %end step %c1 {
      %q = arith.addi %p, %h : index
      %a = memref.load %x[%p] : memref<?xf32>
      %b = memref.load %x[%q] : memref<?xf32>
      %s = arith.addf %a, %b : f32
      memref.store %s, %x[%q] : memref<?xf32>
    }
  }
  return
}

// The loop over blocks is inside, and shorter for some places: a test asks for its bound. The stride of the
// blocks is compared first.
func.func @places(%x: memref<?xf32>, %n: index, %m: index, %h: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %h step %c1 {
    scf.for %p = %j to %n step %m {
      %q = arith.addi %p, %h : index
      %a = memref.load %x[%p] : memref<?xf32>
      %b = memref.load %x[%q] : memref<?xf32>
      %s = arith.addf %a, %b : f32
      memref.store %s, %x[%q] : memref<?xf32>
    }
  }
  return
}

// The last block ends at the least of two bounds; a loop that carries values is inside.
func.func @cut(%x: memref<?xf32>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %k = %c0 to %n step %m {
    %behind = arith.addi %k, %m : index
    %end = arith.minsi %behind, %n : index
    %sum = scf.for %p = %k to %end step %c1 iter_args(%s = %zero) -> (f32) {
      %a = memref.load %x[%p] : memref<?xf32>
      %t = arith.addf %s, %a : f32
      memref.store %t, %x[%p] : memref<?xf32>
      scf.yield %t : f32
    }
  }
  return
}

// A bit is put between the others: unions of bits are sums.
func.func @bits(%x: memref<?xf32>, %b: index) {
  %c1 = arith.constant 1 : index
  %bit = arith.shli %c1, %b : index
  %mask = arith.subi %bit, %c1 : index
  %next = arith.addi %b, %c1 : index
  affine.for %t = 0 to 16 {
    %high = arith.shrui %t, %b : index
    %block = arith.shli %high, %next : index
    %low = arith.andi %t, %mask : index
    %p = arith.ori %block, %low : index
    %q = arith.ori %p, %bit : index
    %a = memref.load %x[%p] : memref<?xf32>
    %c = memref.load %x[%q] : memref<?xf32>
    %s = arith.addf %a, %c : f32
    %d = arith.subf %a, %c : f32
    memref.store %s, %x[%p] : memref<?xf32>
    memref.store %d, %x[%q] : memref<?xf32>
  }
  return
}

// The one with the bit reads the one without it.
func.func @subsets(%x: memref<?xf32>, %b: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bit = arith.shli %c1, %b : index
  affine.for %i = 0 to 32 {
    %own = arith.andi %i, %bit : index
    %has = arith.cmpi ne, %own, %c0 : index
    scf.if %has {
      %l = arith.xori %i, %bit : index
      %a = memref.load %x[%i] : memref<?xf32>
      %c = memref.load %x[%l] : memref<?xf32>
      %s = arith.addf %a, %c : f32
      memref.store %s, %x[%i] : memref<?xf32>
    }
  }
  return
}

// Only multiples of 2 * %h do anything.
func.func @multiples(%x: memref<?xf32>, %h: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %m = arith.muli %h, %c2 : index
  affine.for %i = 0 to 28 {
    %r = arith.remui %i, %m : index
    %is_first = arith.cmpi eq, %r, %c0 : index
    scf.if %is_first {
      %q = arith.addi %i, %h : index
      %a = memref.load %x[%i] : memref<?xf32>
      %b = memref.load %x[%q] : memref<?xf32>
      %s = arith.addf %a, %b : f32
      memref.store %s, %x[%i] : memref<?xf32>
    }
  }
  return
}

// Left: a mask that may have several bits, so that both of two may have some; a union of bits that may share some; a block that
// goes on into the next one by one element.
func.func @left(%x: memref<?xf32>, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  affine.for %i = 0 to 32 {
    %own = arith.andi %i, %m : index
    %has = arith.cmpi ne, %own, %c0 : index
    scf.if %has {
      %l = arith.xori %i, %m : index
      %a = memref.load %x[%i] : memref<?xf32>
      %c = memref.load %x[%l] : memref<?xf32>
      %s = arith.addf %a, %c : f32
      memref.store %s, %x[%i] : memref<?xf32>
    }
  }
  affine.for %i = 0 to 32 {
    %q = arith.ori %i, %m : index
    %a = memref.load %x[%i] : memref<?xf32>
    %s = arith.addf %a, %a : f32
    memref.store %s, %x[%q] : memref<?xf32>
  }
  scf.for %k = %c0 to %c32 step %n {
    %behind = arith.addi %k, %n : index
    %end = arith.addi %behind, %c1 : index
    scf.for %p = %k to %end step %c1 {
      %a = memref.load %x[%p] : memref<?xf32>
      %s = arith.addf %a, %a : f32
      memref.store %s, %x[%p] : memref<?xf32>
    }
  }
  return
}
