// test: opt --affine-loop-wavefront=launch=100
// test: run-opt --entry=tiles --arg=random:1
// test: run-opt --entry=back --arg=random:1
// test: run-opt --entry=total --arg=random:1 --arg=random:1
// test: run-opt --entry=small --arg=random:1
// test: run-opt --entry=parallel --arg=random:1

// Both counters grow or stay along every dependence: wavefronts of tiles.
func.func @tiles(%a: memref<512x512xi32>) {
  affine.for %i = 1 to 512 {
    affine.for %j = 1 to 512 {
      %n = affine.load %a[%i - 1, %j] : memref<512x512xi32>
      %w = affine.load %a[%i, %j - 1] : memref<512x512xi32>
      %s = arith.addi %n, %w : i32
      affine.store %s, %a[%i, %j] : memref<512x512xi32>
    }
  }
  return
}

// A dependence that leads back along j: the hyperplane 2 i + j, and tiles of i by i + j.
func.func @back(%a: memref<512x512xi32>) {
  affine.for %i = 1 to 512 {
    affine.for %j = 1 to 511 {
      %n = affine.load %a[%i - 1, %j + 1] : memref<512x512xi32>
      %w = affine.load %a[%i, %j - 1] : memref<512x512xi32>
      %s = arith.addi %n, %w : i32
      affine.store %s, %a[%i, %j] : memref<512x512xi32>
    }
  }
  return
}

// Every iteration needs all before it: no hyperplane has two iterations.
func.func @total(%a: memref<512x512xi32>, %s: memref<i32>) {
  affine.for %i = 0 to 512 {
    affine.for %j = 0 to 512 {
      %x = affine.load %a[%i, %j] : memref<512x512xi32>
      %t = affine.load %s[] : memref<i32>
      %u = arith.muli %t, %x : i32
      affine.store %u, %s[] : memref<i32>
    }
  }
  return
}

// Too small to be worth launches.
func.func @small(%a: memref<4x4xi32>) {
  affine.for %i = 1 to 4 {
    affine.for %j = 1 to 4 {
      %n = affine.load %a[%i - 1, %j] : memref<4x4xi32>
      %w = affine.load %a[%i, %j - 1] : memref<4x4xi32>
      %s = arith.addi %n, %w : i32
      affine.store %s, %a[%i, %j] : memref<4x4xi32>
    }
  }
  return
}

// An inner loop is parallel already.
func.func @parallel(%a: memref<512x512xi32>) {
  affine.for %i = 1 to 512 {
    affine.for %j = 0 to 512 {
      %n = affine.load %a[%i - 1, %j] : memref<512x512xi32>
      affine.store %n, %a[%i, %j] : memref<512x512xi32>
    }
  }
  return
}
