// test: opt "--affine-schedule=in @unrolled: unroll(k: 4); in @whole: unroll(k); unroll(i: 2); in @jammed: unroll-jam(i: 2); in @strips: strip-mine(i: 5); in @deep: strip-mine(i: 3, 4); in @joined: coalesce(i, j, k); in @normal: normalize(i); in @cut: split(i at 4); reverse(i#2); in @open: split(i at 3); in @around: split(j at i); in @peeled: peel(i: 2); peel(i#2: -1)"
// test: run-opt --entry=unrolled --arg=random:1
// test: run-opt --entry=whole --arg=random:1 --arg=zeros
// test: run-opt --entry=jammed --arg=random:1 --arg=zeros
// test: run-opt --entry=strips --arg=random:1 --arg=zeros
// test: run-opt --entry=deep --arg=random:1 --arg=zeros
// test: run-opt --entry=joined --arg=random:1 --arg=zeros
// test: run-opt --entry=normal --arg=random:1 --arg=zeros
// test: run-opt --entry=cut --arg=random:1
// test: run-opt --entry=open --arg=random:1[12] --arg=zeros[12] --arg=12
// test: run-opt --entry=open --arg=random:1[12] --arg=zeros[12] --arg=2
// test: run-opt --entry=open --arg=random:1[12] --arg=zeros[12] --arg=-5
// test: run-opt --entry=around --arg=random:1
// test: run-opt --entry=peeled --arg=random:1

// Ten iterations are two rows, and a loop k#2 of what is left.
func.func @unrolled(%a: memref<11xi32>) {
  affine.for %k = 0 to 10 {
    %x = affine.load %a[%k] : memref<11xi32>
    affine.store %x, %a[%k + 1] : memref<11xi32>
  }
  return
}

func.func @whole(%a: memref<4x2xi32>, %b: memref<4x2xi32>) {
  affine.for %i = 0 to 4 {
    affine.for %k = 0 to 2 {
      %x = affine.load %a[%i, %k] : memref<4x2xi32>
      affine.store %x, %b[%i, %k] : memref<4x2xi32>
    }
  }
  return
}

func.func @jammed(%a: memref<5x6xi32>, %s: memref<5xi32>) {
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 6 {
      %x = affine.load %a[%i, %j] : memref<5x6xi32>
      %y = affine.load %s[%i] : memref<5xi32>
      %t = arith.addi %x, %y : i32
      affine.store %t, %s[%i] : memref<5xi32>
    }
  }
  return
}

func.func @strips(%a: memref<40xi32>, %b: memref<40xi32>) {
  affine.for %i = 0 to 40 {
    %x = affine.load %a[%i] : memref<40xi32>
    affine.store %x, %b[%i] : memref<40xi32>
  }
  return
}

func.func @deep(%a: memref<24xi32>, %b: memref<24xi32>) {
  affine.for %i = 0 to 24 {
    %x = affine.load %a[%i] : memref<24xi32>
    affine.store %x, %b[%i] : memref<24xi32>
  }
  return
}

func.func @joined(%a: memref<3x4x5xi32>, %b: memref<3x4x5xi32>) {
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 4 {
      affine.for %k = 0 to 5 {
        %x = affine.load %a[%i, %j, %k] : memref<3x4x5xi32>
        affine.store %x, %b[%i, %j, %k] : memref<3x4x5xi32>
      }
    }
  }
  return
}

func.func @normal(%a: memref<40xi32>, %b: memref<40xi32>) {
  affine.for %i = 4 to 40 step 3 {
    %x = affine.load %a[%i] : memref<40xi32>
    affine.store %x, %b[%i] : memref<40xi32>
  }
  return
}

// The parts have names of their own: i and i#2.
func.func @cut(%a: memref<10xi32>) {
  affine.for %i = 0 to 10 {
    %x = affine.load %a[%i] : memref<10xi32>
    %y = arith.addi %x, %x : i32
    affine.store %y, %a[%i] : memref<10xi32>
  }
  return
}

// Where %n is less than 3 the second loop has no iterations.
func.func @open(%a: memref<?xi32>, %b: memref<?xi32>, %n: index) {
  affine.for %i = 1 to %n {
    %x = affine.load %a[%i] : memref<?xi32>
    affine.store %x, %b[%i] : memref<?xi32>
  }
  return
}

func.func @around(%a: memref<6x6xi32>) {
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 6 {
      %x = affine.load %a[%i, %j] : memref<6x6xi32>
      %y = affine.load %a[%i, %i] : memref<6x6xi32>
      %t = arith.addi %x, %y : i32
      affine.store %t, %a[%i, %j] : memref<6x6xi32>
    }
  }
  return
}

// Two iterations in front, then all but the last, then that.
func.func @peeled(%a: memref<9xi32>) {
  affine.for %i = 1 to 9 {
    %x = affine.load %a[%i - 1] : memref<9xi32>
    affine.store %x, %a[%i] : memref<9xi32>
  }
  return
}
