// Counts of words of three letters: a loop over the letters carries what chooses the element.
// The letters are 0, 1, 2, 3, 0, 1, …: 50 windows each begin with 0 and 1, 49 each with 2 and 3, which
// are the words 6, 27, 44 and 49 in base 4. `sums` counts down by the sum of
// the letters: 3, 6, 5 and 4.
// test: run --entry=words --arg=zeros
// expect: arg 0 = [0, 0, 0, 0, 0, 0, 50, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 50, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 49, 0, 0, 0, 0, 49, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
// test: run --entry=sums --arg=zeros
// expect: arg 0 = [0, 0, 0, -50, -49, -49, -50, 0]
func.func @words(%counts: memref<64xi32>) {
  %letters = memref.alloc() : memref<200xi8>
  %four = arith.constant 4 : index
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 200 {
    %r = arith.remui %i, %four : index
    %b = arith.index_cast %r : index to i8
    affine.store %b, %letters[%i] : memref<200xi8>
  }
  affine.for %i = 0 to 198 {
    %none = arith.constant 0 : index
    %word = affine.for %j = 0 to 3 iter_args(%before = %none) -> (index) {
      %b = affine.load %letters[%i + %j] : memref<200xi8>
      %letter = arith.index_castui %b : i8 to index
      %shifted = arith.muli %before, %four : index
      %next = arith.addi %shifted, %letter : index
      affine.yield %next : index
    }
    %n = memref.load %counts[%word] : memref<64xi32>
    %up = arith.addi %n, %one : i32
    memref.store %up, %counts[%word] : memref<64xi32>
  }
  memref.dealloc %letters : memref<200xi8>
  return
}

func.func @sums(%counts: memref<8xi32>) {
  %letters = memref.alloc() : memref<200xi8>
  %four = arith.constant 4 : index
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  affine.for %i = 0 to 200 {
    %r = arith.remui %i, %four : index
    %b = arith.index_cast %r : index to i8
    affine.store %b, %letters[%i] : memref<200xi8>
  }
  affine.for %i = 0 to 198 {
    %sum:2 = scf.while (%j = %c0, %so_far = %c0) : (index, index) -> (index, index) {
      %more = arith.cmpi ult, %j, %c3 : index
      scf.condition(%more) %j, %so_far : index, index
    } do {
    ^bb0(%j: index, %so_far: index):
      %at = arith.addi %i, %j : index
      %b = memref.load %letters[%at] : memref<200xi8>
      %letter = arith.index_castui %b : i8 to index
      %next = arith.addi %so_far, %letter : index
      %after = arith.addi %j, %c1 : index
      scf.yield %after, %next : index, index
    }
    %n = memref.load %counts[%sum#1] : memref<8xi32>
    %down = arith.subi %n, %one : i32
    memref.store %down, %counts[%sum#1] : memref<8xi32>
  }
  memref.dealloc %letters : memref<200xi8>
  return
}
