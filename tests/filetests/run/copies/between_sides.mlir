// Copies between data of the host and of the device: over a part of what a kernel has written, over all of it, of what a kernel
// has written, of turned elements, and within one array. Each function returns the sum of the elements, the k-th times k.
// The expected values are those of the same program in NumPy.
// test: run --entry=padded --arg=iota[60x70]
// expect: result 0 = -418408712
// test: run --entry=replaced --arg=iota
// expect: result 0 = -683127960
// test: run --entry=written --arg=iota
// expect: result 0 = -596415098
// test: run --entry=turned --arg=iota
// expect: result 0 = 1524366366
// test: run --entry=within --arg=iota
// expect: result 0 = 170525696
// test: run --entry=filled --arg=iota
// expect: result 0 = 1845867456
// test: run --entry=wide --arg=iota
// expect: result 0 = 1099511627776

// The border of a padded image is written by a kernel, its inside copied from the argument.
func.func @padded(%x: memref<?x?xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nine = arith.constant 9 : i32
  %n = memref.dim %x, %c0 : memref<?x?xi32>
  %m = memref.dim %x, %c1 : memref<?x?xi32>
  %p = memref.alloc() : memref<64x80xi32>
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 80 {
      affine.store %nine, %p[%i, %j] : memref<64x80xi32>
    }
  }
  %inside = memref.subview %p[2, 5] [%n, %m] [1, 1] : memref<64x80xi32> to memref<?x?xi32, strided<[80, 1], offset: 165>>
  memref.copy %x, %inside : memref<?x?xi32> to memref<?x?xi32, strided<[80, 1], offset: 165>>
  %flat = memref.collapse_shape %p [[0, 1]] : memref<64x80xi32> into memref<5120xi32>
  %open = memref.cast %flat : memref<5120xi32> to memref<?xi32>
  %s = func.call @sum(%open) : (memref<?xi32>) -> i32
  memref.dealloc %p : memref<64x80xi32>
  return %s : i32
}

// A kernel's results are replaced as a whole, and changed by a kernel again.
func.func @replaced(%x: memref<5000xi32>) -> i32 {
  %y = memref.alloc() : memref<5000xi32>
  affine.for %i = 0 to 5000 {
    %v = affine.load %x[%i] : memref<5000xi32>
    %w = arith.muli %v, %v : i32
    affine.store %w, %y[%i] : memref<5000xi32>
  }
  %first = affine.load %y[7] : memref<5000xi32>
  memref.copy %x, %y : memref<5000xi32> to memref<5000xi32>
  affine.for %i = 0 to 5000 {
    %v = affine.load %y[%i] : memref<5000xi32>
    %w = arith.addi %v, %first : i32
    affine.store %w, %y[%i] : memref<5000xi32>
  }
  %open = memref.cast %y : memref<5000xi32> to memref<?xi32>
  %s = func.call @sum(%open) : (memref<?xi32>) -> i32
  memref.dealloc %y : memref<5000xi32>
  return %s : i32
}

// What a kernel has written goes to every third element of an array that the host has changed.
func.func @written(%x: memref<3000xi32>) -> i32 {
  %five = arith.constant 5 : i32
  %y = memref.alloc() : memref<1000xi32>
  affine.store %five, %x[2999] : memref<3000xi32>
  affine.for %i = 0 to 1000 {
    %v = affine.load %x[%i * 2] : memref<3000xi32>
    %w = arith.addi %v, %five : i32
    affine.store %w, %y[%i] : memref<1000xi32>
  }
  %third = memref.subview %x[1] [1000] [3] : memref<3000xi32> to memref<1000xi32, strided<[3], offset: 1>>
  memref.copy %y, %third : memref<1000xi32> to memref<1000xi32, strided<[3], offset: 1>>
  %open = memref.cast %x : memref<3000xi32> to memref<?xi32>
  %s = func.call @sum(%open) : (memref<?xi32>) -> i32
  memref.dealloc %y : memref<1000xi32>
  return %s : i32
}

// Turned elements of the argument, which nothing has read before, replace what a kernel has written.
func.func @turned(%x: memref<60x70xi32>) -> i32 {
  %one = arith.constant 1 : i32
  %y = memref.alloc() : memref<70x60xi32>
  affine.for %i = 0 to 70 {
    affine.for %j = 0 to 60 {
      affine.store %one, %y[%i, %j] : memref<70x60xi32>
    }
  }
  %t = memref.transpose %x (i, j) -> (j, i) : memref<60x70xi32> to memref<70x60xi32, strided<[1, 70]>>
  memref.copy %t, %y : memref<70x60xi32, strided<[1, 70]>> to memref<70x60xi32>
  %flat = memref.collapse_shape %y [[0, 1]] : memref<70x60xi32> into memref<4200xi32>
  %open = memref.cast %flat : memref<4200xi32> to memref<?xi32>
  %s = func.call @sum(%open) : (memref<?xi32>) -> i32
  memref.dealloc %y : memref<70x60xi32>
  return %s : i32
}

// An array is turned round in place.
func.func @within(%x: memref<64x64xi32>) -> i32 {
  %t = memref.transpose %x (i, j) -> (j, i) : memref<64x64xi32> to memref<64x64xi32, strided<[1, 64]>>
  memref.copy %t, %x : memref<64x64xi32, strided<[1, 64]>> to memref<64x64xi32>
  %flat = memref.collapse_shape %x [[0, 1]] : memref<64x64xi32> into memref<4096xi32>
  %open = memref.cast %flat : memref<4096xi32> to memref<?xi32>
  %s = func.call @sum(%open) : (memref<?xi32>) -> i32
  return %s : i32
}

// A kernel's results are filled over, as a whole and in part.
func.func @filled(%x: memref<5000xi32>) -> i32 {
  %three = arith.constant 3 : i32
  %four = arith.constant 4 : i32
  %y = memref.alloc() : memref<5000xi32>
  affine.for %i = 0 to 5000 {
    %v = affine.load %x[%i] : memref<5000xi32>
    %w = arith.muli %v, %v : i32
    affine.store %w, %y[%i] : memref<5000xi32>
    affine.store %w, %x[%i] : memref<5000xi32>
  }
  gpu.memset %y, %three : memref<5000xi32>, i32
  %part = memref.subview %x[100] [300] [5] : memref<5000xi32> to memref<300xi32, strided<[5], offset: 100>>
  gpu.memset %part, %four : memref<300xi32, strided<[5], offset: 100>>, i32
  affine.for %i = 0 to 5000 {
    %v = affine.load %x[%i] : memref<5000xi32>
    %w = affine.load %y[%i] : memref<5000xi32>
    %u = arith.addi %v, %w : i32
    affine.store %u, %y[%i] : memref<5000xi32>
  }
  %open = memref.cast %y : memref<5000xi32> to memref<?xi32>
  %s = func.call @sum(%open) : (memref<?xi32>) -> i32
  memref.dealloc %y : memref<5000xi32>
  return %s : i32
}

// A number that takes more than 32 bits is copied into a part of what a kernel has written.
func.func @wide(%x: memref<100xindex>) -> index {
  %big = arith.constant 1099511627776 : index
  %p = memref.alloc() : memref<5000xindex>
  affine.for %i = 0 to 5000 {
    affine.store %i, %p[%i] : memref<5000xindex>
  }
  affine.store %big, %x[3] : memref<100xindex>
  %part = memref.subview %p[10] [100] [1] : memref<5000xindex> to memref<100xindex, strided<[1], offset: 10>>
  memref.copy %x, %part : memref<100xindex> to memref<100xindex, strided<[1], offset: 10>>
  %v = affine.load %p[13] : memref<5000xindex>
  memref.dealloc %p : memref<5000xindex>
  return %v : index
}

func.func private @sum(%x: memref<?xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %n = memref.dim %x, %c0 : memref<?xi32>
  %s = affine.for %i = 0 to %n iter_args(%part = %zero) -> i32 {
    %v = affine.load %x[%i] : memref<?xi32>
    %k = arith.index_cast %i : index to i32
    %term = arith.muli %v, %k : i32
    %next = arith.addi %part, %term : i32
    affine.yield %next : i32
  }
  return %s : i32
}
