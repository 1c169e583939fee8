// test: opt --affine-loop-unroll-jam=unroll-jam-factor=4
// test: run-opt --entry=open --arg=random:1[3x11] --arg=11
// test: run-opt --entry=open --arg=random:1[3x11] --arg=3
// test: run-opt --entry=open --arg=random:1[3x11] --arg=0
// test: run-opt --entry=open --arg=random:1[3x11] --arg=-1
// test: run-opt --entry=open --arg=random:1[3x11] --arg=-9223372036854775808
// test: run-opt --entry=steps --arg=random:1[3x40] --arg=2 --arg=29
// test: run-opt --entry=steps --arg=random:1[3x40] --arg=29 --arg=2
// test: run-opt --entry=few --arg=random:1
// test: run-opt --entry=exact --arg=random:1

// Where %n is 0 or less neither loop runs, whatever the difference of the bounds wraps to.
func.func @open(%a: memref<?x?xi32>, %n: index) {
  affine.for %i = 1 to %n {
    affine.for %j = 0 to 3 {
      %x = affine.load %a[%j, %i] : memref<?x?xi32>
      %y = arith.addi %x, %x : i32
      affine.store %y, %a[%j, %i] : memref<?x?xi32>
    }
  }
  return
}

// Rows of four steps of three.
func.func @steps(%a: memref<?x?xi32>, %m: index, %n: index) {
  affine.for %i = affine_map<()[s0] -> (s0 mod 64)>()[%m] to affine_map<()[s0] -> (s0 mod 64)>()[%n] step 3 {
    affine.for %j = 0 to 3 {
      %x = affine.load %a[%j, %i] : memref<?x?xi32>
      %y = arith.addi %x, %x : i32
      affine.store %y, %a[%j, %i] : memref<?x?xi32>
    }
  }
  return
}

// Three iterations are one row.
func.func @few(%a: memref<3x3xi32>) {
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 3 {
      %x = affine.load %a[%i, %j] : memref<3x3xi32>
      %y = arith.addi %x, %x : i32
      affine.store %y, %a[%i, %j] : memref<3x3xi32>
    }
  }
  return
}

// Nothing is left behind two rows.
func.func @exact(%a: memref<8x3xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 3 {
      %x = affine.load %a[%i, %j] : memref<8x3xi32>
      %y = arith.addi %x, %x : i32
      affine.store %y, %a[%i, %j] : memref<8x3xi32>
    }
  }
  return
}

// A single loop is for affine-loop-unroll.
func.func @single(%a: memref<8xi32>, %x: i32) {
  affine.for %i = 0 to 8 {
    affine.store %x, %a[%i] : memref<8xi32>
  }
  return
}
