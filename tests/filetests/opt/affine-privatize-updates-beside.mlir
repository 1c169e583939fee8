// test: opt --affine-privatize

// The updates may become atomic, so that the temporary is all that ties the elements.
// test: run-opt --entry=assemble --arg=iota --arg=zeros
// expect: arg 1 = [66, 78, 90, 0, 0, 0]
func.func @assemble(%x: memref<12xi32>, %r: memref<6xi32>) {
  %c3 = arith.constant 3 : i32
  %t = memref.alloca() : memref<3xi32>
  affine.for %e = 0 to 12 {
    affine.for %k = 0 to 3 {
      %v = affine.load %x[%e] : memref<12xi32>
      %c = arith.index_cast %k : index to i32
      %w = arith.addi %v, %c : i32
      affine.store %w, %t[%k] : memref<3xi32>
    }
    affine.for %k = 0 to 3 {
      %v = affine.load %x[%e] : memref<12xi32>
      %m = arith.remui %v, %c3 : i32
      %at = arith.index_cast %m : i32 to index
      %w = affine.load %t[%k] : memref<3xi32>
      %old = memref.load %r[%at] : memref<6xi32>
      %new = arith.addi %old, %w : i32
      memref.store %new, %r[%at] : memref<6xi32>
    }
  }
  return
}

// An iteration of the inner loop, of unknown length, writes the temporary before it reads it.
// test: run-opt --entry=doubling --arg=iota
// expect: arg 0 = [0, 8, 16, 24, 32, 40, 48, 56]
func.func @doubling(%a: memref<4x2xi32>) {
  %one = arith.constant 1 : i32
  %eight = arith.constant 8 : i32
  %t = memref.alloca() : memref<2xi32>
  affine.for %r = 0 to 4 {
    %n = scf.while (%s = %one) : (i32) -> (i32) {
      %more = arith.cmpi slt, %s, %eight : i32
      scf.condition(%more) %s : i32
    } do {
    ^bb0(%s: i32):
      affine.for %i = 0 to 2 {
        %v = affine.load %a[%r, %i] : memref<4x2xi32>
        %w = arith.addi %v, %v : i32
        affine.store %w, %t[%i] : memref<2xi32>
      }
      affine.for %i = 0 to 2 {
        %v = affine.load %t[%i] : memref<2xi32>
        affine.store %v, %a[%r, %i] : memref<4x2xi32>
      }
      %next = arith.addi %s, %s : i32
      scf.yield %next : i32
    }
  }
  return
}

// The first iteration of the inner loop reads what the row before has left.
// test: run-opt --entry=left --arg=iota
// expect: arg 0 = [0, 0, 1, 2]
func.func @left(%a: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %t = memref.alloca() : memref<2xi32>
  affine.store %zero, %t[0] : memref<2xi32>
  affine.store %zero, %t[1] : memref<2xi32>
  affine.for %r = 0 to 4 {
    %n = scf.while (%s = %one) : (i32) -> (i32) {
      %more = arith.cmpi slt, %s, %two : i32
      scf.condition(%more) %s : i32
    } do {
    ^bb0(%s: i32):
      %v = affine.load %a[%r] : memref<4xi32>
      %w = affine.load %t[0] : memref<2xi32>
      affine.store %w, %a[%r] : memref<4xi32>
      affine.store %v, %t[0] : memref<2xi32>
      %next = arith.addi %s, %s : i32
      scf.yield %next : i32
    }
  }
  return
}
