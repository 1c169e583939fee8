// The result of an update is the element before it: every iteration gets a number of its own, and
// marks it. Which one it gets is left open, so each mark is set once.
// test: run --arg=zeros --arg=zeros
// expect: arg 0 = 40
// expect: arg 1 = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
func.func @tickets(%next: memref<i32>, %marks: memref<40xi32>) {
  %one = arith.constant 1 : i32
  affine.parallel (%i) = (0) to (40) {
    %ticket = memref.atomic_rmw addi %one, %next[] : (i32, memref<i32>) -> i32
    %place = arith.index_cast %ticket : i32 to index
    %old = memref.atomic_rmw addi %one, %marks[%place] : (i32, memref<40xi32>) -> i32
  }
  return
}
