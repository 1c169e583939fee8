// Elements of large buffers that the host reads between kernels, some of which it has downloaded with others before.
// test: run --entry=f --arg=iota
// expect: result 0 = 6
// expect: result 1 = 884928
// test: run --entry=bytes --arg=zeros
// expect: result 0 = 62
// The expected values are those of the same loops in Python.

// Each step doubles all elements, after two have been read and one has been written.
func.func @f(%x: memref<300000xi32>) -> (index, i32) {
  %two = arith.constant 2 : i32
  %zero = arith.constant 0 : i32
  %limit = arith.constant 500000 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c1714 = arith.constant 1714 : index
  %r:2 = scf.while (%t = %c0, %s = %zero) : (index, i32) -> (index, i32) {
    %at = arith.muli %t, %c1714 : index
    %v = memref.load %x[%at] : memref<300000xi32>
    %is_less = arith.cmpi slt, %v, %limit : i32
    scf.condition(%is_less) %t, %s : index, i32
  } do {
  ^bb0(%t: index, %s: i32):
    %at = arith.muli %t, %c1714 : index
    %next = arith.addi %at, %c8 : index
    %v = memref.load %x[%at] : memref<300000xi32>
    %w = memref.load %x[%next] : memref<300000xi32>
    %vw = arith.addi %v, %w : i32
    memref.store %vw, %x[%c8] : memref<300000xi32>
    %u = memref.load %x[%c8] : memref<300000xi32>
    %sum = arith.addi %s, %u : i32
    affine.for %i = 0 to 300000 {
      %a = affine.load %x[%i] : memref<300000xi32>
      %b = arith.muli %a, %two : i32
      affine.store %b, %x[%i] : memref<300000xi32>
    }
    %n = arith.addi %t, %c1 : index
    scf.yield %n, %sum : index, i32
  }
  return %r#0, %r#1 : index, i32
}

// A sieve, whose elements the device holds as words. The host looks for the next number that is left.
func.func @bytes(%x: memref<1200000xi8>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c300 = arith.constant 300 : index
  %c1200000 = arith.constant 1200000 : index
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %none = arith.constant 0 : i32
  %count = arith.constant 1 : i32
  %r = scf.for %p = %c2 to %c300 step %c1 iter_args(%found = %none) -> i32 {
    %v = memref.load %x[%p] : memref<1200000xi8>
    %is_prime = arith.cmpi eq, %v, %zero : i8
    %next = scf.if %is_prime -> i32 {
      %first = arith.muli %p, %p : index
      scf.for %m = %first to %c1200000 step %p {
        memref.store %one, %x[%m] : memref<1200000xi8>
      }
      %more = arith.addi %found, %count : i32
      scf.yield %more : i32
    } else {
      scf.yield %found : i32
    }
    scf.yield %next : i32
  }
  return %r : i32
}
