// test: opt --affine-map-to-gpu=target=cpu --canonicalize --cse
// test: run-opt --entry=rows --arg=random:1
// test: run-opt --entry=turned --arg=random:1 --arg=random:1

// Starting a thread costs more than an iteration: a thread walks a third of the rows, two at a time.
func.func @rows(%a: memref<300x300x16xf32>) {
  affine.for %i = 0 to 300 {
    affine.for %j = 0 to 300 {
      affine.for %k = 0 to 16 {
        %x = affine.load %a[%i, %j, %k] : memref<300x300x16xf32>
        %y = arith.addf %x, %x : f32
        affine.store %y, %a[%i, %j, %k] : memref<300x300x16xf32>
      }
    }
  }
  return
}

// Adjacent lanes read rows of `%b` apart from each other: a thread takes four elements of each. It walks the rest along
// x, which is the inner walk, and then along y.
func.func @turned(%b: memref<64x256xf32>, %c: memref<256x64xf32>) {
  %0:2 = memref.distinct_objects %b, %c : memref<64x256xf32>, memref<256x64xf32>
  affine.for %i = 0 to 256 {
    affine.for %j = 0 to 64 {
      %x = affine.load %0#0[%j, %i] : memref<64x256xf32>
      affine.store %x, %0#1[%i, %j] : memref<256x64xf32>
    }
  }
  return
}
