// Labels spread along a path until a round changes none, which a flag tells. Each vertex takes the least label
// of itself and its neighbours; from 7, 6, …, 0 the least is 7 vertices away from the first one, so that seven
// rounds change something and the eighth does not.
// test: run --arg=zeros[8] --arg=zeros[8]
// expect: arg 0 = [0, 0, 0, 0, 0, 0, 0, 0]
// expect: result 0 = 8
func.func @main(%x: memref<?xi32>, %y: memref<?xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = memref.dim %x, %c0 : memref<?xi32>
  %last = arith.subi %n, %c1 : index
  %last32 = arith.index_cast %last : index to i32
  scf.for %i = %c0 to %n step %c1 {
    %i32 = arith.index_cast %i : index to i32
    %label = arith.subi %last32, %i32 : i32
    memref.store %label, %x[%i] : memref<?xi32>
  }
  %flag = memref.alloc() : memref<1xi32>
  %rounds = scf.while (%round = %none) : (i32) -> i32 {
    memref.store %none, %flag[%c0] : memref<1xi32>
    scf.for %i = %c0 to %n step %c1 {
      %before = arith.subi %i, %c1 : index
      %left = arith.maxsi %before, %c0 : index
      %behind = arith.addi %i, %c1 : index
      %right = arith.minsi %behind, %last : index
      %a = memref.load %x[%left] : memref<?xi32>
      %b = memref.load %x[%i] : memref<?xi32>
      %c = memref.load %x[%right] : memref<?xi32>
      %ab = arith.minsi %a, %b : i32
      %least = arith.minsi %ab, %c : i32
      memref.store %least, %y[%i] : memref<?xi32>
      %is_less = arith.cmpi slt, %least, %b : i32
      scf.if %is_less {
        memref.store %one, %flag[%c0] : memref<1xi32>
      }
    }
    scf.for %i = %c0 to %n step %c1 {
      %v = memref.load %y[%i] : memref<?xi32>
      memref.store %v, %x[%i] : memref<?xi32>
    }
    %next = arith.addi %round, %one : i32
    %f = memref.load %flag[%c0] : memref<1xi32>
    %again = arith.cmpi ne, %f, %none : i32
    scf.condition(%again) %next : i32
  } do {
  ^bb0(%round: i32):
    scf.yield %round : i32
  }
  memref.dealloc %flag : memref<1xi32>
  return %rounds : i32
}
