// test: opt "--affine-schedule=in @fused: fuse(i, k); in @later: fuse(i, i#2); in @apart: distribute(i); interchange(i#2, j); in @parallel: parallelize(i); in @sums: parallelize(i); in @private: privatize(t); parallelize(i); in @rows: privatize(r in i); parallelize(i)"
// test: run-opt --entry=fused --arg=random:1
// test: run-opt --entry=later --arg=random:1
// test: run-opt --entry=apart --arg=random:1 --arg=zeros
// test: run-opt --entry=parallel --arg=random:1
// test: run-opt --entry=sums --arg=random:1
// test: run-opt --entry=private --arg=random:1
// test: run-opt --entry=rows --arg=random:1

func.func @fused(%a: memref<3x10xi32>) {
  affine.for %i = 0 to 10 {
    %x = affine.load %a[0, %i] : memref<3x10xi32>
    affine.store %x, %a[1, %i] : memref<3x10xi32>
  }
  affine.for %k = 0 to 10 {
    %x = affine.load %a[1, %k] : memref<3x10xi32>
    affine.store %x, %a[2, %k] : memref<3x10xi32>
  }
  return
}

// The second loop reads one element ahead: it runs an iteration behind the first.
func.func @later(%a: memref<3x10xi32>) {
  affine.for %i = 0 to 10 {
    %x = affine.load %a[0, %i] : memref<3x10xi32>
    affine.store %x, %a[1, %i] : memref<3x10xi32>
  }
  affine.for %i = 0 to 9 {
    %x = affine.load %a[1, %i + 1] : memref<3x10xi32>
    affine.store %x, %a[2, %i] : memref<3x10xi32>
  }
  return
}

// Apart, the second nest can be interchanged.
func.func @apart(%a: memref<2x6x7xi32>, %s: memref<6xi32>) {
  affine.for %i = 0 to 6 {
    %y = affine.load %a[0, %i, 0] : memref<2x6x7xi32>
    affine.store %y, %s[%i] : memref<6xi32>
    affine.for %j = 0 to 7 {
      %x = affine.load %a[0, %i, %j] : memref<2x6x7xi32>
      affine.store %x, %a[1, %i, %j] : memref<2x6x7xi32>
    }
  }
  return
}

func.func @parallel(%a: memref<2x10xi32>) {
  affine.for %i = 0 to 10 {
    %x = affine.load %a[0, %i] : memref<2x10xi32>
    affine.store %x, %a[1, %i] : memref<2x10xi32>
  }
  return
}

func.func @sums(%a: memref<10xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %s = affine.for %i = 0 to 10 iter_args(%acc = %zero) -> i32 {
    %x = affine.load %a[%i] : memref<10xi32>
    %t = arith.addi %acc, %x : i32
    affine.yield %t : i32
  }
  return %s : i32
}

func.func @private(%a: memref<2x10xi32>) {
  %t = memref.alloca() : memref<i32>
  affine.for %i = 0 to 10 {
    %x = affine.load %a[0, %i] : memref<2x10xi32>
    affine.store %x, %t[] : memref<i32>
    %y = affine.load %t[] : memref<i32>
    affine.store %y, %a[1, %i] : memref<2x10xi32>
  }
  return
}

func.func @rows(%a: memref<2x10x4xi32>) {
  %r = memref.alloc() : memref<4xi32>
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 4 {
      %x = affine.load %a[0, %i, %j] : memref<2x10x4xi32>
      affine.store %x, %r[%j] : memref<4xi32>
    }
    affine.for %j = 0 to 4 {
      %y = affine.load %r[3 - %j] : memref<4xi32>
      affine.store %y, %a[1, %i, %j] : memref<2x10x4xi32>
    }
  }
  memref.dealloc %r : memref<4xi32>
  return
}
