// test: opt --affine-loop-tile=tile-sizes=32,8
// test: run-opt --entry=permutable --arg=random:1[9x9] --arg=6 --arg=6
// test: run-opt --entry=triangle --arg=random:1 --arg=3
// test: run-opt --entry=backward --arg=random:1
// test: run-opt --entry=gather --arg=random:1 --arg=iota

// Tiles that do not divide the iterations; sizes that are known when it runs; all loops
// of the nest depend on each other forward.
func.func @permutable(%a: memref<?x?xi32>, %m: index, %n: index) {
  affine.for %i = 1 to %m {
    affine.for %j = 1 to %n {
      %x = affine.load %a[%i - 1, %j] : memref<?x?xi32>
      %y = affine.load %a[%i, %j - 1] : memref<?x?xi32>
      %s = arith.addi %x, %y : i32
      affine.store %s, %a[%i, %j] : memref<?x?xi32>
    }
  }
  return
}

// A triangle: tiles beyond the diagonal are left out.
func.func @triangle(%a: memref<100x100xi32>, %x: i32) {
  affine.for %i = 0 to 100 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      affine.store %x, %a[%i, %j] : memref<100x100xi32>
    }
  }
  return
}

// What is read lies in a tile that would run later.
func.func @backward(%a: memref<100x100xi32>) {
  affine.for %i = 1 to 100 {
    affine.for %j = 0 to 99 {
      %x = affine.load %a[%i - 1, %j + 1] : memref<100x100xi32>
      affine.store %x, %a[%i, %j] : memref<100x100xi32>
    }
  }
  return
}

// Which element is read is not known.
func.func @gather(%a: memref<100xi32>, %at: memref<100xindex>) {
  affine.for %i = 0 to 100 {
    affine.for %j = 0 to 100 {
      %k = affine.load %at[%i] : memref<100xindex>
      %x = memref.load %a[%k] : memref<100xi32>
      affine.store %x, %a[%i] : memref<100xi32>
    }
  }
  return
}
