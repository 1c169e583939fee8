// Regions that may run beside what follows them, with kernels in them: squares, then their sums with what lies
// beside. The sums of squares are Python's.
// test: roundtrip
// test: run --entry=main --arg=zeros
// expect: arg 0 = [1, 5, 13, 25, 41, 61, 85, 113]
// test: run --entry=places --arg=zeros
// expect: arg 0 = [0, 1, 2, 3]
// test: run --entry=branches --arg=zeros --arg=1
// expect: arg 0 = [7]
// test: run --entry=branches --arg=zeros --arg=0
// expect: arg 0 = [5]
func.func @main(%out: memref<8xi32>) {
  %squares = memref.alloc() : memref<9xi32>
  %two:2 = async.execute -> !async.value<i32> {
    %c2 = arith.constant 2 : i32
    async.yield %c2 : i32
  }
  %filled = async.execute [%two#0] {
    affine.for %i = 0 to 9 {
      %w = arith.index_cast %i : index to i32
      %s = arith.muli %w, %w : i32
      affine.store %s, %squares[%i] : memref<9xi32>
    }
    async.yield
  }
  %done, %sum = async.execute [%filled] (%two#1 as %unused: !async.value<i32>) -> !async.value<memref<8xi32>> {
    affine.for %i = 0 to 8 {
      %a = affine.load %squares[%i] : memref<9xi32>
      %b = affine.load %squares[%i + 1] : memref<9xi32>
      %s = arith.addi %a, %b : i32
      affine.store %s, %out[%i] : memref<8xi32>
    }
    async.yield %out : memref<8xi32>
  }
  async.await %done : !async.token
  %same = async.await %sum : !async.value<memref<8xi32>>
  memref.dealloc %squares : memref<9xi32>
  return
}

// The places of members of a group, which a loop adds.
func.func @places(%out: memref<4xi32>) {
  %c4 = arith.constant 4 : index
  %group = async.create_group %c4 : !async.group
  affine.for %i = 0 to 4 {
    %t = async.execute {
      async.yield
    }
    %at = async.add_to_group %t, %group : !async.token
    %w = arith.index_cast %at : index to i32
    affine.store %w, %out[%i] : memref<4xi32>
  }
  async.await_all %group
  return
}

func.func private @later(%x: i32) -> (!async.token, !async.value<i32>) {
  %t, %v = async.execute -> !async.value<i32> {
    %c2 = arith.constant 2 : i32
    %y = arith.addi %x, %c2 : i32
    async.yield %y : i32
  }
  return %t, %v : !async.token, !async.value<i32>
}

// Values go through branches and calls.
func.func @branches(%out: memref<1xi32>, %which: i1) {
  %c3 = arith.constant 3 : i32
  %c5 = arith.constant 5 : i32
  %t, %v = scf.if %which -> (!async.token, !async.value<i32>) {
    %a, %b = func.call @later(%c5) : (i32) -> (!async.token, !async.value<i32>)
    scf.yield %a, %b : !async.token, !async.value<i32>
  } else {
    %a, %b = func.call @later(%c3) : (i32) -> (!async.token, !async.value<i32>)
    scf.yield %a, %b : !async.token, !async.value<i32>
  }
  async.await %t : !async.token
  %r = async.await %v : !async.value<i32>
  affine.store %r, %out[0] : memref<1xi32>
  return
}
