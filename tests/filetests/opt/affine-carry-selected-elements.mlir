// Argmax and argmin that keep the index alone: the element that it names is carried along.
// test: opt --raise-to-affine --canonicalize --affine-carry-selected-elements
// test: run-opt --entry=ties
// expect: result 0 = 2
// expect: result 1 = 4
// test: run-opt --entry=numbers_around_nan
// expect: result 0 = 0
// expect: result 1 = 2
// test: run-opt --entry=isamax --arg=0 --arg=zeros[0]
// expect: result 0 = 0
// test: run-opt --entry=isamax --arg=1000 --arg=iota[1000]
// expect: result 0 = 999
// test: run-opt --entry=rows --arg=iota --arg=zeros
// expect: arg 1 = [0, 0, 0, 0]
// test: run-opt --entry=rows --arg=ones --arg=zeros
// expect: arg 1 = [8, 8, 8, 8]
// test: run-opt --entry=pivot --arg=5 --arg=1 --arg=iota[25]
// expect: result 0 = 4
// test: run-opt --entry=pivot --arg=5 --arg=4 --arg=iota[25]
// expect: result 0 = 4
// test: run-opt --entry=shifted --arg=iota
// expect: result 0 = 8
// test: run-opt --entry=written --arg=iota --arg=20.0
// expect: result 0 = 0
// test: run --entry=ties
// test: run --entry=numbers_around_nan
// test: run --entry=isamax --arg=0 --arg=zeros[0]
// test: run --entry=isamax --arg=1000 --arg=iota[1000]
// test: run --entry=isamax --arg=3000 --arg=random:7[3000]
// test: run --entry=rows --arg=random:3 --arg=zeros
// test: run --entry=rows --arg=ones --arg=zeros
// test: run --entry=pivot --arg=50 --arg=3 --arg=random:5[2500]
// test: run --entry=shifted --arg=random:5
memref.global "private" constant @tied : memref<6xf32> = dense<[1.0, -2.0, 5.0, -0.0, -5.0, 5.0]>
memref.global "private" constant @first_nan : memref<3xf32> = dense<[0x7FC00000, 2.0, 3.0]>
memref.global "private" constant @later_nan : memref<5xf32> = dense<[1.0, 0x7FC00000, 3.0, 0x7FC00000, -2.0]>

// The first of equal sizes; and from the fourth element on.
func.func @ties() -> (i32, i32) {
  %c6 = arith.constant 6 : i32
  %c0 = arith.constant 0.0 : f32
  %x = memref.get_global @tied : memref<6xf32>
  %all = memref.cast %x : memref<6xf32> to memref<?xf32>
  %a = call @isamax(%c6, %all) : (i32, memref<?xf32>) -> i32
  %y = memref.alloc() : memref<6xf32>
  memref.copy %x, %y : memref<6xf32> to memref<6xf32>
  %i = arith.constant 2 : index
  memref.store %c0, %y[%i] : memref<6xf32>
  %rest = memref.cast %y : memref<6xf32> to memref<?xf32>
  %b = call @isamax(%c6, %rest) : (i32, memref<?xf32>) -> i32
  memref.dealloc %y : memref<6xf32>
  return %a, %b : i32, i32
}

// Nothing is greater than NaN, and NaN is greater than nothing.
func.func @numbers_around_nan() -> (i32, i32) {
  %c3 = arith.constant 3 : i32
  %c5 = arith.constant 5 : i32
  %x = memref.get_global @first_nan : memref<3xf32>
  %first = memref.cast %x : memref<3xf32> to memref<?xf32>
  %a = call @isamax(%c3, %first) : (i32, memref<?xf32>) -> i32
  %y = memref.get_global @later_nan : memref<5xf32>
  %later = memref.cast %y : memref<5xf32> to memref<?xf32>
  %b = call @isamax(%c5, %later) : (i32, memref<?xf32>) -> i32
  return %a, %b : i32, i32
}

func.func @isamax(%n: i32, %x: memref<?xf32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : index
  %n1 = arith.index_cast %n : i32 to index
  %r = scf.for %i = %c1 to %n1 step %c1 iter_args(%best = %c0) -> i32 {
    %i32 = arith.index_cast %i : index to i32
    %x1 = memref.load %x[%i] : memref<?xf32>
    %a = math.absf %x1 : f32
    %k = arith.index_cast %best : i32 to index
    %xb = memref.load %x[%k] : memref<?xf32>
    %m = math.absf %xb : f32
    %c = arith.cmpf ogt, %a, %m : f32
    %next = arith.select %c, %i32, %best : i32
    scf.yield %next : i32
  }
  return %r : i32
}

// The last one of equal elements, in each row of a matrix; the branch yields the index.
func.func @rows(%x: memref<4x9xi32>, %at: memref<4xindex>) {
  %c0 = arith.constant 0 : index
  affine.for %r = 0 to 4 {
    %b = affine.for %i = 0 to 9 iter_args(%best = %c0) -> index {
      %m = memref.load %x[%r, %best] : memref<4x9xi32>
      %v = affine.load %x[%r, %i] : memref<4x9xi32>
      %c = arith.cmpi sle, %v, %m : i32
      %next = scf.if %c -> index {
        scf.yield %i : index
      } else {
        scf.yield %best : index
      }
      affine.yield %next : index
    }
    affine.store %b, %at[%r] : memref<4xindex>
  }
  return
}

// The pivot of a column of a matrix in one dimension: the subscript is a product.
func.func @pivot(%n: index, %k: index, %a: memref<?xf32>) -> index {
  %r = affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to %n iter_args(%p = %k) -> index {
    %row = arith.muli %i, %n : index
    %at = arith.addi %row, %k : index
    %v = memref.load %a[%at] : memref<?xf32>
    %size = math.absf %v : f32
    %prow = arith.muli %p, %n : index
    %pat = arith.addi %prow, %k : index
    %w = memref.load %a[%pat] : memref<?xf32>
    %best = math.absf %w : f32
    %c = arith.cmpf ogt, %size, %best : f32
    %next = arith.select %c, %i, %p : index
    affine.yield %next : index
  }
  return %r : index
}

// Another element than the candidate: no argmax.
func.func @shifted(%x: memref<10xf32>) -> index {
  %c0 = arith.constant 0 : index
  %r = affine.for %i = 0 to 9 iter_args(%best = %c0) -> index {
    %v = affine.load %x[%i + 1] : memref<10xf32>
    %m = memref.load %x[%best] : memref<10xf32>
    %c = arith.cmpf ogt, %v, %m : f32
    %next = arith.select %c, %i, %best : index
    affine.yield %next : index
  }
  return %r : index
}

// The loop overwrites what it compares with: it stays.
func.func @written(%x: memref<10xf32>, %z: f32) -> index {
  %c0 = arith.constant 0 : index
  %r = affine.for %i = 0 to 10 iter_args(%best = %c0) -> index {
    %v = affine.load %x[%i] : memref<10xf32>
    %m = memref.load %x[%best] : memref<10xf32>
    %c = arith.cmpf ogt, %v, %m : f32
    %next = arith.select %c, %i, %best : index
    affine.store %z, %x[0] : memref<10xf32>
    affine.yield %next : index
  }
  return %r : index
}
