// test: opt --affine-loop-normalize
// test: run-opt --entry=steps --arg=zeros
// expect: arg 0 = [0, 0, 2, 0, 0, 5, 0, 0, 8, 0]
// test: run-opt --entry=sum --arg=iota
// expect: result 0 = 15
// test: run-opt --entry=open --arg=random:1[9] --arg=7
// test: run-opt --entry=open --arg=random:1[9] --arg=0
// test: run-opt --entry=open --arg=random:1[9] --arg=-9223372036854775808
// test: run-opt --entry=triangle --arg=random:1
// test: run-opt --entry=least --arg=random:1[12] --arg=3 --arg=11
// test: run-opt --entry=least --arg=random:1[12] --arg=9 --arg=4
// test: run-opt --entry=band --arg=zeros --arg=7
// test: run-opt --entry=one --arg=zeros

// Iterations 2, 5 and 8.
func.func @steps(%a: memref<10xindex>) {
  affine.for %i = 2 to 10 step 3 {
    affine.store %i, %a[%i] : memref<10xindex>
  }
  return
}

// Where %n is next to the least number, %n - 1 wraps around: %n itself ends the loop.
func.func @open(%a: memref<?xi32>, %n: index) {
  affine.for %i = 1 to %n {
    %x = affine.load %a[%i - 1] : memref<?xi32>
    affine.store %x, %a[%i] : memref<?xi32>
  }
  return
}

// The bound of the loop inside is the old counter.
func.func @triangle(%a: memref<9x9xi32>) {
  affine.for %i = 1 to 9 step 2 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to 9 step 2 {
      %x = affine.load %a[%i, %j - 1] : memref<9x9xi32>
      affine.store %x, %a[%i, %j] : memref<9x9xi32>
    }
  }
  return
}

// The least of several bounds.
func.func @least(%a: memref<?xi32>, %m: index, %n: index) {
  affine.for %i = 2 to min affine_map<()[s0, s1] -> (s0 mod 16, s1 mod 16)>()[%m, %n] step 2 {
    %x = affine.load %a[%i - 1] : memref<?xi32>
    affine.store %x, %a[%i] : memref<?xi32>
  }
  return
}

// A band: the first dimension stays as it is.
func.func @band(%a: memref<4x20xindex>, %n: index) {
  affine.parallel (%i, %j) = (0, 3) to (4, min(18, %n)) step (1, 4) {
    affine.store %j, %a[%i, %j] : memref<4x20xindex>
  }
  return
}

// Values are carried as before.
func.func @sum(%a: memref<7xi32>) -> i32 {
  %z = arith.constant 0 : i32
  %r = affine.for %i = 4 to 7 iter_args(%s = %z) -> i32 {
    %x = affine.load %a[%i] : memref<7xi32>
    %t = arith.addi %s, %x : i32
    affine.yield %t : i32
  }
  return %r : i32
}

// One iteration stays a loop here.
func.func @one(%a: memref<8xindex>) {
  affine.for %i = 3 to 4 {
    affine.store %i, %a[%i] : memref<8xindex>
  }
  return
}
