// Unsigned arithmetic of numbers that are not negative is that of the counters; masks bound sums.
// test: opt --raise-to-affine --canonicalize
// test: run-opt --entry=torus --arg=random:1 --arg=zeros
// test: run-opt --entry=masked_start --arg=random:1
// test: run-opt --entry=negative --arg=random:1 --arg=zeros
// test: run-opt --entry=wraps --arg=random:1 --arg=zeros

// Neighbours of a ring of 7, in unsigned numbers of C.
func.func @torus(%a: memref<7xf32>, %b: memref<7xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %six = arith.constant 6 : i32
  %seven = arith.constant 7 : i32
  scf.for %i = %c0 to %c7 step %c1 {
    %k = arith.index_cast %i : index to i32
    %sum = arith.addi %k, %six : i32
    %left = arith.remui %sum, %seven : i32
    %at = arith.index_castui %left : i32 to index
    %x = memref.load %a[%at] : memref<7xf32>
    memref.store %x, %b[%i] : memref<7xf32>
  }
  return
}

// Every other element of a row, from 0 or 1.
func.func @masked_start(%a: memref<6x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c6 step %c1 {
    %k = arith.index_cast %i : index to i32
    %bit = arith.andi %k, %one : i32
    %next = arith.addi %bit, %one : i32
    %first = arith.index_cast %next : i32 to index
    scf.for %j = %first to %c8 step %c2 {
      memref.store %zero, %a[%i, %j] : memref<6x8xf32>
    }
  }
  return
}

// -4 to 3 modulo 7 without a sign: 4294967292 and so on, which is no remainder of the counter. Nor
// is the cast without a sign.
func.func @negative(%a: memref<7xf32>, %b: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %four = arith.constant 4 : i32
  %seven = arith.constant 7 : i32
  %c7 = arith.constant 7 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %k = arith.index_cast %i : index to i32
    %less = arith.subi %k, %four : i32
    %rest = arith.remui %less, %seven : i32
    %at = arith.index_castui %rest : i32 to index
    %x = memref.load %a[%at] : memref<7xf32>
    %large = arith.index_castui %less : i32 to index
    %other = arith.remui %large, %c7 : index
    %y = memref.load %a[%other] : memref<7xf32>
    %z = arith.addf %x, %y : f32
    memref.store %z, %b[%i] : memref<8xf32>
  }
  return
}

// 100 + 50 is -106 in 8 bits.
func.func @wraps(%a: memref<7xf32>, %b: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %hundred = arith.constant 100 : i8
  %seven = arith.constant 7 : i8
  scf.for %i = %c0 to %c64 step %c1 {
    %k = arith.index_cast %i : index to i8
    %sum = arith.addi %k, %hundred : i8
    %rest = arith.remui %sum, %seven : i8
    %at = arith.index_castui %rest : i8 to index
    %x = memref.load %a[%at] : memref<7xf32>
    memref.store %x, %b[%i] : memref<64xf32>
  }
  return
}
