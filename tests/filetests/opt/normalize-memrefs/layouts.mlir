// test: opt --normalize-memrefs
// test: run-opt --entry=calls --arg=random:1
// test: run-opt --entry=carried --arg=random:1 --arg=1
// test: run-opt --entry=carried --arg=random:1 --arg=0
// test: run-opt --entry=strided --arg=random:1 --arg=zeros
// test: run-opt --entry=updates --arg=zeros

#transposed = affine_map<(d0, d1) -> (d1, d0)>
#strides = affine_map<(d0, d1) -> (d0 * 10 + d1 * 2 + 3)>

// Through calls and results.
func.func private @fill(%a: memref<4x6xf32>) -> memref<4x6xf32, #transposed> {
  %t = memref.alloc() : memref<4x6xf32, #transposed>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %x = affine.load %a[%i, %j] : memref<4x6xf32>
      affine.store %x, %t[%i, %j] : memref<4x6xf32, #transposed>
    }
  }
  return %t : memref<4x6xf32, #transposed>
}
func.func private @add(%t: memref<4x6xf32, #transposed>, %a: memref<4x6xf32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %x = affine.load %t[%i, %j] : memref<4x6xf32, #transposed>
      %y = affine.load %a[%i, %j] : memref<4x6xf32>
      %z = arith.addf %x, %y : f32
      affine.store %z, %a[%i, %j] : memref<4x6xf32>
    }
  }
  return
}
func.func @calls(%a: memref<4x6xf32>) {
  %t = func.call @fill(%a) : (memref<4x6xf32>) -> memref<4x6xf32, #transposed>
  func.call @add(%t, %a) : (memref<4x6xf32, #transposed>, memref<4x6xf32>) -> ()
  memref.dealloc %t : memref<4x6xf32, #transposed>
  return
}

// From one iteration to the next, out of a branch, one of two.
func.func @carried(%a: memref<4x6xf32>, %which: i1) {
  %s = memref.alloc() : memref<4x6xf32, #transposed>
  %t = memref.alloc() : memref<4x6xf32, #transposed>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %x = affine.load %a[%i, %j] : memref<4x6xf32>
      affine.store %x, %s[%i, %j] : memref<4x6xf32, #transposed>
      affine.store %x, %t[%i, %j] : memref<4x6xf32, #transposed>
    }
  }
  %u, %v = affine.for %k = 0 to 3 iter_args(%p = %s, %q = %t) -> (memref<4x6xf32, #transposed>, memref<4x6xf32, #transposed>) {
    affine.for %i = 0 to 4 {
      affine.for %j = 0 to 6 {
        %x = affine.load %p[%i, %j] : memref<4x6xf32, #transposed>
        %y = affine.load %q[%i, %j] : memref<4x6xf32, #transposed>
        %z = arith.addf %x, %y : f32
        affine.store %z, %q[%i, %j] : memref<4x6xf32, #transposed>
      }
    }
    affine.yield %q, %p : memref<4x6xf32, #transposed>, memref<4x6xf32, #transposed>
  }
  %w = arith.select %which, %u, %v : memref<4x6xf32, #transposed>
  %r = scf.if %which -> memref<4x6xf32, #transposed> {
    scf.yield %w : memref<4x6xf32, #transposed>
  } else {
    scf.yield %s : memref<4x6xf32, #transposed>
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %x = affine.load %r[%i, %j] : memref<4x6xf32, #transposed>
      affine.store %x, %a[%i, %j] : memref<4x6xf32>
    }
  }
  memref.dealloc %s : memref<4x6xf32, #transposed>
  memref.dealloc %t : memref<4x6xf32, #transposed>
  return
}

// Strides, as a map and as numbers.
func.func @strided(%a: memref<4x5xf32>, %b: memref<4x5xf32>) {
  %s = memref.alloc() : memref<4x5xf32, #strides>
  %t = memref.alloc() : memref<4x5xf32, strided<[1, 6], offset: 2>>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 5 {
      %x = affine.load %a[%i, %j] : memref<4x5xf32>
      affine.store %x, %s[%i, %j] : memref<4x5xf32, #strides>
      %y = affine.load %s[%i, %j] : memref<4x5xf32, #strides>
      affine.store %y, %t[%i, %j] : memref<4x5xf32, strided<[1, 6], offset: 2>>
      %z = affine.load %t[%i, %j] : memref<4x5xf32, strided<[1, 6], offset: 2>>
      affine.store %z, %b[%i, %j] : memref<4x5xf32>
    }
  }
  memref.dealloc %s : memref<4x5xf32, #strides>
  memref.dealloc %t : memref<4x5xf32, strided<[1, 6], offset: 2>>
  return
}

func.func @updates(%b: memref<4x6xi32>) {
  %z = arith.constant 0 : i32
  %t = memref.alloc() : memref<4x6xi32, #transposed>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      affine.store %z, %t[%i, %j] : memref<4x6xi32, #transposed>
      %x = arith.index_cast %j : index to i32
      %o = memref.atomic_rmw addi %x, %t[%i, %j] : (i32, memref<4x6xi32, #transposed>) -> i32
      %n = memref.generic_atomic_rmw %t[%i, %j] : memref<4x6xi32, #transposed> {
      ^bb0(%old: i32):
        %new = arith.muli %old, %old : i32
        memref.atomic_yield %new : i32
      }
      %y = affine.load %t[%i, %j] : memref<4x6xi32, #transposed>
      affine.store %y, %b[%i, %j] : memref<4x6xi32>
    }
  }
  memref.dealloc %t : memref<4x6xi32, #transposed>
  return
}
