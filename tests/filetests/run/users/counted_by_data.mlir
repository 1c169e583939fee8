// Steps of the Collatz sequence from each element, by `scf.while`.
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [0, 1, 7, 2, 5, 8, 16, 3, 19, 6, 14, 9, 9, 17, 17, 4, 12, 20, 20, 7, 7, 15, 15, 10, 23, 10, 111, 18, 18, 18, 106, 5, 26, 13, 13, 21, 21, 21, 34, 8]
func.func @counted_by_data(%a: memref<40xi32>, %o: memref<40xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %z = arith.constant 0 : i32
  scf.for %i = %c0 to %c40 step %c1 {
    %v = memref.load %a[%i] : memref<40xi32>
    %abs = math.absi %v : i32
    %st = arith.addi %abs, %one : i32
    %r:2 = scf.while (%n=%st, %k=%z) : (i32,i32) -> (i32,i32) {
      %c = arith.cmpi sgt, %n, %one : i32
      scf.condition(%c) %n, %k : i32,i32
    } do {
    ^bb0(%n: i32, %k: i32):
      %b = arith.andi %n, %one : i32
      %odd = arith.cmpi ne, %b, %z : i32
      %nn = scf.if %odd -> i32 {
        %t = arith.muli %n, %three : i32
        %u = arith.addi %t, %one : i32
        scf.yield %u : i32
      } else {
        %t = arith.divui %n, %two : i32
        scf.yield %t : i32
      }
      %k1 = arith.addi %k, %one : i32
      scf.yield %nn, %k1 : i32,i32
    }
    memref.store %r#1, %o[%i] : memref<40xi32>
  }
  return
}
