// test: opt --affine-scalrep
// test: run-opt --entry=sum_in_memory --arg=random:1
// test: run-opt --entry=may_not_run --arg=6 --arg=1.5
// test: run-opt --entry=may_alias --arg=6

// The element that every iteration of %k reads and writes is carried; what is
// stored before the loop starts it.
func.func @sum_in_memory(%a: memref<8x8xf32>) -> memref<8xf32> {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 8 {
    affine.store %zero, %c[%i] : memref<8xf32>
    affine.for %k = 0 to 8 {
      %x = affine.load %a[%i, %k] : memref<8x8xf32>
      %y = affine.load %c[%i] : memref<8xf32>
      %s = arith.addf %x, %y : f32
      affine.store %s, %c[%i] : memref<8xf32>
    }
  }
  return %c : memref<8xf32>
}

// A loop that may not run writes nothing back then.
func.func @may_not_run(%n: index, %x: f32) -> memref<8xf32> {
  %c = memref.alloc() : memref<8xf32>
  affine.for %k = 0 to %n {
    %y = affine.load %c[0] : memref<8xf32>
    %s = arith.addf %x, %y : f32
    affine.store %s, %c[0] : memref<8xf32>
  }
  return %c : memref<8xf32>
}

// Another access in the loop may be the same element: left alone.
func.func @may_alias(%j: index) -> memref<8xf32> {
  %c = memref.alloc() : memref<8xf32>
  affine.for %k = 0 to 8 {
    %y = affine.load %c[symbol(%j)] : memref<8xf32>
    %x = affine.load %c[%k] : memref<8xf32>
    %s = arith.addf %x, %y : f32
    affine.store %s, %c[symbol(%j)] : memref<8xf32>
  }
  return %c : memref<8xf32>
}
