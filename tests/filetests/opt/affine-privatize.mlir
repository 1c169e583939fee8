// test: opt --affine-privatize
// test: run-opt --entry=scalar --arg=random:1 --arg=random:1
// test: run-opt --entry=row --arg=random:1 --arg=random:1
// test: run-opt --entry=left_alone --arg=random:1 --arg=random:1 --arg=random:1

// Written before it is read in each iteration of the outer loop, and of the
// inner one: each iteration of the outer one gets its own.
func.func @scalar(%a: memref<8x9xf32>, %b: memref<8x9xf32>) {
  %t = memref.alloc() : memref<1xf32>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 9 {
      %x = affine.load %a[%i, %j] : memref<8x9xf32>
      affine.store %x, %t[0] : memref<1xf32>
      %y = affine.load %t[0] : memref<1xf32>
      affine.store %y, %b[%i, %j] : memref<8x9xf32>
    }
  }
  memref.dealloc %t : memref<1xf32>
  return
}

// A row that a loop fills from 0 to 9 and another one reads.
func.func @row(%a: memref<8x9xf32>, %b: memref<8x9xf32>) {
  %t = memref.alloca() : memref<12xf32>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 9 {
      %x = affine.load %a[%i, %j] : memref<8x9xf32>
      affine.store %x, %t[%j] : memref<12xf32>
    }
    affine.for %j = 0 to 9 {
      %y = affine.load %t[-%j + 8] : memref<12xf32>
      affine.store %y, %b[%i, %j] : memref<8x9xf32>
    }
  }
  return
}

// Left alone: read beyond what was written, written under a condition, read before it is written. The third of four is read after
// the loop, and assigned by its last iteration.
#some = affine_set<(d0) : (d0 - 3 >= 0)>
func.func @left_alone(%a: memref<8x9xf32>, %b: memref<8x9xf32>, %c: memref<8xf32>) -> f32 {
  %t = memref.alloca() : memref<12xf32>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %x = affine.load %a[%i, %j] : memref<8x9xf32>
      affine.store %x, %t[%j] : memref<12xf32>
    }
    affine.for %j = 0 to 9 {
      %y = affine.load %t[%j] : memref<12xf32>
      affine.store %y, %b[%i, %j] : memref<8x9xf32>
    }
  }
  %s = memref.alloca() : memref<f32>
  affine.for %i = 0 to 8 {
    %x = affine.load %c[%i] : memref<8xf32>
    affine.if #some(%i) {
      affine.store %x, %s[] : memref<f32>
    }
    %y = affine.load %s[] : memref<f32>
    affine.store %y, %a[%i, 0] : memref<8x9xf32>
  }
  %last = memref.alloca() : memref<f32>
  affine.for %i = 0 to 8 {
    %x = affine.load %c[%i] : memref<8xf32>
    affine.store %x, %last[] : memref<f32>
  }
  %r = affine.load %last[] : memref<f32>
  %before = memref.alloca() : memref<f32>
  affine.store %r, %before[] : memref<f32>
  affine.for %i = 0 to 8 {
    %x = affine.load %c[%i] : memref<8xf32>
    %y = affine.load %before[] : memref<f32>
    affine.store %y, %c[%i] : memref<8xf32>
    affine.store %x, %before[] : memref<f32>
  }
  return %r : f32
}
