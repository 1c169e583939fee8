// test: opt --affine-loop-tile="tile-sizes=4,3 separate"
// test: run-opt --entry=open --arg=random:1[9x7] --arg=9 --arg=7
// test: run-opt --entry=open --arg=random:1[9x7] --arg=8 --arg=6
// test: run-opt --entry=open --arg=random:1[9x7] --arg=3 --arg=2
// test: run-opt --entry=open --arg=random:1[9x7] --arg=-9223372036854775808 --arg=7
// test: run-opt --entry=triangle --arg=zeros --arg=3
// test: run-opt --entry=exact --arg=random:1
// test: run-opt --entry=one_tiled --arg=random:1

// A tile is full where its last row is below %m and its last column below %n.
func.func @open(%a: memref<?x?xi32>, %m: index, %n: index) {
  affine.for %i = 1 to %m {
    affine.for %j = 0 to %n {
      %x = affine.load %a[%i - 1, %j] : memref<?x?xi32>
      %y = affine.load %a[%i, %j] : memref<?x?xi32>
      %s = arith.addi %x, %y : i32
      affine.store %s, %a[%i, %j] : memref<?x?xi32>
    }
  }
  return
}

// %j is up to %i: a tile is full where its last column is in the first of its rows.
func.func @triangle(%a: memref<10x10xi32>, %x: i32) {
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      affine.store %x, %a[%i, %j] : memref<10x10xi32>
    }
  }
  return
}

// All tiles are full.
func.func @exact(%a: memref<8x6xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 6 {
      %x = affine.load %a[%i, %j] : memref<8x6xi32>
      %y = arith.addi %x, %x : i32
      affine.store %y, %a[%i, %j] : memref<8x6xi32>
    }
  }
  return
}

// Three loops, of which the first two are tiled.
func.func @one_tiled(%a: memref<5x5x5xi32>) {
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 5 {
      affine.for %k = 0 to 5 {
        %x = affine.load %a[%i, %j, %k] : memref<5x5x5xi32>
        %y = arith.addi %x, %x : i32
        affine.store %y, %a[%i, %j, %k] : memref<5x5x5xi32>
      }
    }
  }
  return
}
