// test: error opt "--affine-schedule=in @fused: fuse(i, k); in @swapped: fuse(k, i); in @between: fuse(i, k); in @together: distribute(i); in @single: distribute(i); in @tied: parallelize(i); in @carried: parallelize(i); in @shared: privatize(t); in @outside: privatize(t in j); in @nothing: privatize(u)"
// exit: 1
// error: 1:12: step 'fuse(i, k)' is refused: one loop would violate a flow dependence
// error: 1:37: step 'fuse(k, i)' is refused: the second loop does not follow the first one
// error: 1:62: step 'fuse(i, k)' is refused: an operation between them has to run after the first one because of a flow dependence
// error: 1:88: step 'distribute(i)' is refused: its statements cannot be separated because of a flow dependence of distance 1
// error: 1:115: step 'distribute(i)' is refused: it has only one statement with effects
// error: 1:140: step 'parallelize(i)' is refused: its iterations are ordered by a flow dependence of distance 1
// error: 1:169: step 'parallelize(i)' is refused: it carries a value that is not a reduction
// error: 1:197: step 'privatize(t)' is refused: a load may read what another iteration has stored
// error: 1:224: step 'privatize(t in j)' is refused: no such loop contains all its loads and stores
// error: 1:256: step 'privatize(u)' is refused: there is no allocation 'u'; there are t

// The second loop begins with what the first writes last.
func.func @fused(%a: memref<2x100xi32>) {
  affine.for %i = 0 to 100 {
    %x = affine.load %a[0, %i] : memref<2x100xi32>
    affine.store %x, %a[1, %i] : memref<2x100xi32>
  }
  affine.for %k = 0 to 100 {
    %x = affine.load %a[1, 99 - %k] : memref<2x100xi32>
    affine.store %x, %a[0, %k] : memref<2x100xi32>
  }
  return
}

func.func @swapped(%a: memref<10xi32>, %x: i32) {
  affine.for %i = 0 to 10 {
    affine.store %x, %a[%i] : memref<10xi32>
  }
  affine.for %k = 0 to 10 {
    affine.store %x, %a[%k] : memref<10xi32>
  }
  return
}

func.func @between(%a: memref<10xi32>, %x: i32) -> i32 {
  affine.for %i = 0 to 10 {
    affine.store %x, %a[%i] : memref<10xi32>
  }
  %y = affine.load %a[3] : memref<10xi32>
  affine.for %k = 0 to 10 {
    affine.store %x, %a[%k] : memref<10xi32>
  }
  return %y : i32
}

// Each statement reads what the other has written, in the iteration before or in this one.
func.func @together(%a: memref<2x11xi32>) {
  affine.for %i = 0 to 10 {
    %x = affine.load %a[0, %i] : memref<2x11xi32>
    affine.store %x, %a[1, %i] : memref<2x11xi32>
    %y = affine.load %a[1, %i] : memref<2x11xi32>
    affine.store %y, %a[0, %i + 1] : memref<2x11xi32>
  }
  return
}

func.func @single(%a: memref<10xi32>, %x: i32) {
  affine.for %i = 0 to 10 {
    affine.store %x, %a[%i] : memref<10xi32>
  }
  return
}

func.func @tied(%a: memref<10xi32>) {
  affine.for %i = 1 to 10 {
    %x = affine.load %a[%i - 1] : memref<10xi32>
    affine.store %x, %a[%i] : memref<10xi32>
  }
  return
}

func.func @carried(%a: memref<10xi32>) -> i32 {
  %one = arith.constant 1 : i32
  %s = affine.for %i = 0 to 10 iter_args(%acc = %one) -> i32 {
    %x = affine.load %a[%i] : memref<10xi32>
    %y = arith.subi %x, %acc : i32
    affine.yield %y : i32
  }
  return %s : i32
}

// The second iteration reads what the first has stored.
func.func @shared(%a: memref<10xi32>) {
  %t = memref.alloca() : memref<i32>
  affine.for %i = 0 to 10 {
    %x = affine.load %t[] : memref<i32>
    affine.store %x, %a[%i] : memref<10xi32>
    affine.store %x, %t[] : memref<i32>
  }
  return
}

func.func @outside(%a: memref<10xi32>, %x: i32) {
  %t = memref.alloca() : memref<i32>
  affine.for %i = 0 to 10 {
    affine.store %x, %t[] : memref<i32>
    affine.for %j = 0 to 10 {
      %y = affine.load %t[] : memref<i32>
      affine.store %y, %a[%j] : memref<10xi32>
    }
  }
  return
}

func.func @nothing(%a: memref<10xi32>, %x: i32) {
  %t = memref.alloca() : memref<i32>
  affine.for %i = 0 to 10 {
    affine.store %x, %t[] : memref<i32>
    affine.store %x, %a[%i] : memref<10xi32>
  }
  return
}
