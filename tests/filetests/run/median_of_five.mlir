// The median of five by a sorting network in a triangle, in an array of each iteration's own: row i holds i + (0, 3, 1, 4, 2), so
// that its median is i + 2.
//
// test: run --entry=medians --arg=iota --arg=zeros
// expect: arg 1 = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33]
// test: run --entry=medians --map-for=cpu --arg=iota --arg=zeros
func.func @medians(%x: memref<32x5xi32>, %y: memref<32xi32>) {
  %t = memref.alloca() : memref<5xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c32 = arith.constant 32 : index
  %three = arith.constant 3 : i32
  %five = arith.constant 5 : i32
  scf.for %i = %c0 to %c32 step %c1 {
    %row = arith.index_cast %i : index to i32
    scf.for %k = %c0 to %c5 step %c1 {
      %v = memref.load %x[%i, %k] : memref<32x5xi32>
      %w = arith.muli %v, %three : i32
      %r = arith.remsi %w, %five : i32
      %s = arith.addi %r, %row : i32
      memref.store %s, %t[%k] : memref<5xi32>
    }
    scf.for %n = %c0 to %c4 step %c1 {
      %end = arith.subi %c4, %n : index
      scf.for %k = %c0 to %end step %c1 {
        %next = arith.addi %k, %c1 : index
        %a = memref.load %t[%k] : memref<5xi32>
        %b = memref.load %t[%next] : memref<5xi32>
        %greater = arith.cmpi sgt, %a, %b : i32
        scf.if %greater {
          memref.store %b, %t[%k] : memref<5xi32>
          memref.store %a, %t[%next] : memref<5xi32>
        }
      }
    }
    %m = memref.load %t[%c2] : memref<5xi32>
    memref.store %m, %y[%i] : memref<32xi32>
  }
  return
}
