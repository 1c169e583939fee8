// test: opt "--affine-schedule=in @interchanged: interchange(i, j); in @permuted: permute(k, i, j); in @backward: reverse(i); in @skewed: skew(j by i); interchange(i, j); in @shifted: shift(j by 3); in @tiled: tile(i, j: 4, 8); in @inner: tile(k, j: 4, 2); interchange(k.tile, j.tile)"
// test: run-opt --entry=interchanged --arg=random:1
// test: run-opt --entry=permuted --arg=random:1 --arg=random:2 --arg=zeros
// test: run-opt --entry=backward --arg=random:1
// test: run-opt --entry=skewed --arg=random:1
// test: run-opt --entry=shifted --arg=random:1
// test: run-opt --entry=tiled --arg=random:1[9x17] --arg=9 --arg=17
// test: run-opt --entry=tiled --arg=random:1[4x8] --arg=0 --arg=8
// test: run-opt --entry=inner --arg=random:1

// Names go with counters: i is the inner loop now.
func.func @interchanged(%a: memref<8x16xi32>) {
  affine.for %i = 1 to 8 {
    affine.for %j = 0 to 16 {
      %x = affine.load %a[%i - 1, %j] : memref<8x16xi32>
      affine.store %x, %a[%i, %j] : memref<8x16xi32>
    }
  }
  return
}

func.func @permuted(%a: memref<5x6xi32>, %b: memref<6x7xi32>, %c: memref<5x7xi32>) {
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 7 {
      affine.for %k = 0 to 6 {
        %x = affine.load %a[%i, %k] : memref<5x6xi32>
        %y = affine.load %b[%k, %j] : memref<6x7xi32>
        %p = arith.muli %x, %y : i32
        %s = affine.load %c[%i, %j] : memref<5x7xi32>
        %t = arith.addi %s, %p : i32
        affine.store %t, %c[%i, %j] : memref<5x7xi32>
      }
    }
  }
  return
}

func.func @backward(%a: memref<10xi32>) {
  affine.for %i = 0 to 10 {
    %x = affine.load %a[%i] : memref<10xi32>
    %y = arith.addi %x, %x : i32
    affine.store %y, %a[%i] : memref<10xi32>
  }
  return
}

// Two steps are a wavefront.
func.func @skewed(%a: memref<8x16xi32>) {
  affine.for %i = 1 to 8 {
    affine.for %j = 1 to 16 {
      %n = affine.load %a[%i - 1, %j] : memref<8x16xi32>
      %w = affine.load %a[%i, %j - 1] : memref<8x16xi32>
      %s = arith.addi %n, %w : i32
      affine.store %s, %a[%i, %j] : memref<8x16xi32>
    }
  }
  return
}

func.func @shifted(%a: memref<4x9xi32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 1 to 9 {
      %x = affine.load %a[%i, %j - 1] : memref<4x9xi32>
      affine.store %x, %a[%i, %j] : memref<4x9xi32>
    }
  }
  return
}

func.func @tiled(%a: memref<?x?xi32>, %m: index, %n: index) {
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %x = affine.load %a[%i, %j] : memref<?x?xi32>
      %y = arith.addi %x, %x : i32
      affine.store %y, %a[%i, %j] : memref<?x?xi32>
    }
  }
  return
}

// A nest inside of a loop, named from the inside; the order of its tiles changes afterwards.
func.func @inner(%a: memref<3x6x7xi32>) {
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 6 {
      affine.for %k = 0 to 7 {
        %x = affine.load %a[%i, %j, %k] : memref<3x6x7xi32>
        %y = arith.addi %x, %x : i32
        affine.store %y, %a[%i, %j, %k] : memref<3x6x7xi32>
      }
    }
  }
  return
}
